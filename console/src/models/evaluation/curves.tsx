/** Curves of held-out rows: what a model says against what is true. */
import type { ReactNode } from "react";
import { Axes, Grid, Mark } from "../../questions/charts/frame";
import { formatTick, linearScale } from "../../questions/charts/scales";
import { percent, plural } from "../../ui/number-format";
import type { CalibrationPoint, ResidualPoint } from "../types";

const HEIGHT = 240;
const LEFT = 56;
const RIGHT = 20;
const COLOUR = "var(--mantine-primary-color-filled)";

export function CalibrationChart({ points, of }: { points: CalibrationPoint[]; of: string }) {
  return (
    <Wide across={`Predicted probability of ${of}, %`} up="Observed, %">
      {(width) => {
        const x = linearScale([0, 100], LEFT, width - RIGHT, true);
        const y = linearScale([0, 100], HEIGHT, 12, true);
        return (
          <>
            <Grid scale={x} along="x" from={12} to={HEIGHT} />
            <Grid scale={y} along="y" from={LEFT} to={width - RIGHT} />
            <line
              x1={x.place(0)}
              y1={y.place(0)}
              x2={x.place(100)}
              y2={y.place(100)}
              stroke="var(--mantine-color-dimmed)"
              strokeDasharray="4 4"
            />
            <path
              d={pathOf(
                points.map((point) => [x.place(100 * point.said), y.place(100 * point.true)]),
              )}
              fill="none"
              stroke={COLOUR}
              strokeWidth={2}
            />
            {points.map((point, index) => (
              <Mark
                // biome-ignore lint/suspicious/noArrayIndexKey: several may say the same
                key={index}
                title={`Says ${percent(point.said)}, true for ${percent(point.true)} of ${plural(point.rows, "row")}`}
              >
                <circle
                  cx={x.place(100 * point.said)}
                  cy={y.place(100 * point.true)}
                  r={4}
                  fill={COLOUR}
                />
              </Mark>
            ))}
          </>
        );
      }}
    </Wide>
  );
}

type Amount = (point: ResidualPoint) => number;

export function ResidualsChart({ points, target }: { points: ResidualPoint[]; target: string }) {
  return (
    <Wide across={`Predicted ${target}`} up="Actual less predicted">
      {(width) => {
        const x = linearScale(
          points.map(({ predicted }) => predicted),
          LEFT,
          width - RIGHT,
          false,
        );
        const y = linearScale(
          points.flatMap(({ p5, p95 }) => [p5, p95]),
          HEIGHT,
          12,
          true,
        );
        const at = (value: Amount) =>
          points.map((point): [number, number] => [
            x.place(point.predicted),
            y.place(value(point)),
          ]);
        const band = (low: Amount, high: Amount) =>
          `${pathOf([...at(high), ...at(low).reverse()])}Z`;
        return (
          <>
            <Grid scale={x} along="x" from={12} to={HEIGHT} />
            <Grid scale={y} along="y" from={LEFT} to={width - RIGHT} />
            <path
              d={band(
                ({ p5 }) => p5,
                ({ p95 }) => p95,
              )}
              fill={COLOUR}
              fillOpacity={0.18}
            />
            <path
              d={band(
                ({ p25 }) => p25,
                ({ p75 }) => p75,
              )}
              fill={COLOUR}
              fillOpacity={0.4}
            />
            <path
              d={pathOf(at(({ median }) => median))}
              fill="none"
              stroke={COLOUR}
              strokeWidth={2}
            />
            {points.map((point, index) => (
              <Mark
                // biome-ignore lint/suspicious/noArrayIndexKey: several may say the same
                key={index}
                title={`About ${formatTick(point.predicted)}: half of ${plural(point.rows, "row")} off by ${formatTick(point.p25)} to ${formatTick(point.p75)}`}
              >
                <circle
                  cx={x.place(point.predicted)}
                  cy={y.place(point.median)}
                  r={3.5}
                  fill={COLOUR}
                />
              </Mark>
            ))}
          </>
        );
      }}
    </Wide>
  );
}

interface WideProps {
  across: string;
  up: string;
  children: (width: number) => ReactNode;
}

function Wide({ across, up, children }: WideProps) {
  return (
    <Axes across={across} up={up} minHeight={HEIGHT + 28}>
      {(width) => (
        <svg width={width} height={HEIGHT + 28} aria-hidden>
          {children(width)}
        </svg>
      )}
    </Axes>
  );
}

const pathOf = (places: [number, number][]) =>
  places.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x},${y}`).join("");
