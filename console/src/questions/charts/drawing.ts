/** What every chart is drawn from: its labels and series, the palette, and how a missing label is spelt. */
import type { Label, Series } from "../types";

export interface Drawing {
  labels: Label[];
  series: Series[];
  width: number;
  /** The columns that it was drawn from. */
  columns: string[];
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
