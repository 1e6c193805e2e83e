/** Which answers can be drawn: those that are a chart, and tables of a few names with a number each. */
import type { Answer, Label } from "../types";

/** More bars than these are no picture. */
const MAX_BARS = 30;

const DAY = /^\d{4}-\d\d-\d\d/;

export function chartOf(answer: Answer): Answer | undefined {
  if (answer.result_type === "visualization") return answer;
  const { columns, rows, truncated } = answer;
  const labels = rows.map(([label]) => label as Label);
  const numbers = rows.map((row) => row[1]);
  const isDrawable =
    columns.length === 2 &&
    rows.length > 1 &&
    rows.length <= MAX_BARS &&
    !truncated &&
    new Set(labels).size === labels.length &&
    labels.every((label) => label === null || typeof label === "string") &&
    numbers.every((value) => value === null || typeof value === "number");
  if (!isDrawable) return undefined;
  const areDays = labels.every((label) => typeof label === "string" && DAY.test(label));
  return {
    ...answer,
    visualization_type: areDays ? "line_chart" : "bar_chart",
    data: { labels, datasets: [{ label: columns[1] ?? "", data: numbers as (number | null)[] }] },
  };
}
