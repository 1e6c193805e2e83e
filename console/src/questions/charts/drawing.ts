/** What every chart is drawn from: its labels and series, the palette, and how a missing label is spelt. */
import type { ChartType, Label, Series } from "../types";

export interface Drawing {
  labels: Label[];
  series: Series[];
  width: number;
}

const PALETTE = [
  "var(--mantine-primary-color-filled)",
  "var(--mantine-color-orange-6)",
  "var(--mantine-color-indigo-5)",
  "var(--mantine-color-lime-7)",
  "var(--mantine-color-pink-6)",
  "var(--mantine-color-yellow-6)",
  "var(--mantine-color-cyan-4)",
  "var(--mantine-color-grape-5)",
];

export const seriesColor = (index: number) => PALETTE[index % PALETTE.length];

export function labelText(label: Label): string {
  return label === null ? "(missing)" : String(label);
}

/** What stands along both axes: the names of what is drawn. */
export function axesOf(
  kind: ChartType,
  series: Series[],
  columns: string[],
): { across?: string; up?: string } {
  if (kind === "pie_chart") return {};
  const names = series.map(({ label }) => label);
  const values = names.join(", ");
  const along = columns.find((column) => !names.includes(column)) ?? values;
  if (kind === "bar_chart") return { across: values, up: along };
  // The ranges of a histogram come by their lower ends.
  return { across: kind === "histogram" ? along.replace(/_from$/, "") : along, up: values };
}
