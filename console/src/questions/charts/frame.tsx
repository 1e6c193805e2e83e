/** What all charts share: grid lines with their numbers, and marks that tell their value. */
import type { ReactNode } from "react";
import { type Scale, tickFormatter } from "./scales";

const TICK_WIDTH = 48;

interface GridProps {
  scale: Scale;
  along: "x" | "y";
  from: number;
  to: number;
}

export function Grid({ scale, along, from, to }: GridProps) {
  const [first = 0, second = 1] = scale.ticks;
  const spell = tickFormatter(scale.ticks);
  const apart = Math.abs(scale.place(second) - scale.place(first));
  const every = along === "x" ? Math.ceil(TICK_WIDTH / Math.max(apart, 1)) : 1;
  return scale.ticks.map((tick, index) => {
    const at = scale.place(tick);
    const line =
      along === "x" ? { x1: at, x2: at, y1: from, y2: to } : { x1: from, x2: to, y1: at, y2: at };
    const text = along === "x" ? { x: at, y: to + 18 } : { x: from - 8, y: at };
    return (
      <g key={tick}>
        <line {...line} className="chart-line" />
        {index % every === 0 ? (
          <text
            {...text}
            textAnchor={along === "x" ? "middle" : "end"}
            dominantBaseline={along === "x" ? "auto" : "central"}
            className="chart-text"
          >
            {spell(tick)}
          </text>
        ) : null}
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
