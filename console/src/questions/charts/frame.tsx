/** What all charts share: axes and their titles, grid lines with their numbers, marks that tell their value. */
import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import type { ReactNode } from "react";
import { type Scale, tickFormatter } from "./scales";

const TICK_WIDTH = 48;

/** Labels and numbers alone take about as much; what is narrower is cut, never drawn inside out. */
const MIN_WIDTH = 160;

interface AxesProps {
  /** What the horizontal axis is, and its unit. */
  across?: string | undefined;
  up?: string | undefined;
  minHeight?: number;
  children: (width: number) => ReactNode;
}

/** Draws to the width that there is, between the titles of both axes. */
export function Axes({ across, up, minHeight = 0, children }: AxesProps) {
  const { ref, width } = useElementSize();
  return (
    <>
      {up ? (
        <Text size="xs" c="dimmed" className="long">
          ↑ {up}
        </Text>
      ) : null}
      <div ref={ref} style={{ overflow: "hidden", minHeight }}>
        {width > 0 ? children(Math.max(width, MIN_WIDTH)) : null}
      </div>
      {across ? (
        <Text size="xs" c="dimmed" ta="right" className="long">
          {across} →
        </Text>
      ) : null}
    </>
  );
}

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
