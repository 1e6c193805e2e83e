/** What all charts share: grid lines with their numbers, and marks that tell their value. */
import type { ReactNode } from "react";
import { type Scale, spelt } from "./scales";

interface GridProps {
  scale: Scale;
  along: "x" | "y";
  from: number;
  to: number;
}

export function Grid({ scale, along, from, to }: GridProps) {
  return scale.ticks.map((tick) => {
    const at = scale.place(tick);
    const line =
      along === "x" ? { x1: at, x2: at, y1: from, y2: to } : { x1: from, x2: to, y1: at, y2: at };
    const text = along === "x" ? { x: at, y: to + 18 } : { x: from - 8, y: at };
    return (
      <g key={tick}>
        <line {...line} className="chart-line" />
        <text
          {...text}
          textAnchor={along === "x" ? "middle" : "end"}
          dominantBaseline={along === "x" ? "auto" : "central"}
          className="chart-text"
        >
          {spelt(tick)}
        </text>
      </g>
    );
  });
}

export function Mark({ title, children }: { title: string; children: ReactNode }) {
  return (
    <g className="chart-mark">
      <title>{title}</title>
      {children}
    </g>
  );
}
