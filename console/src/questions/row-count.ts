/** Says how much of an answer is here, and how much is seen. */
import { plural, whole } from "../ui/number-format";
import type { Answer } from "./types";

/** Rows that a chart is drawn from at most. */
const MAX_CHART_POINTS = 1_000;

const isChartCut = ({ data, row_count }: Answer) =>
  data !== undefined && data.labels.length * data.datasets.length < row_count;

/** Whether there are rows that the answer does not carry; a chart may be cut where the rows are not. */
export function hasRowsLeft(answer: Answer): boolean {
  return answer.truncated && (answer.row_count >= MAX_CHART_POINTS || !isChartCut(answer));
}

export function rowCountText(answer: Answer, asChart: boolean): string {
  const rows = plural(answer.row_count, "row");
  const drawn = whole(answer.data?.labels.length);
  const isCut = asChart && answer.truncated && isChartCut(answer);
  if (hasRowsLeft(answer)) {
    // Every row would be a point of its own.
    const why = answer.visualization_type === "scatter_plot" ? ", the others lack a value" : "";
    return `${isCut ? `${drawn} of the first ${rows} shown${why}` : `${rows} shown`}; there are more`;
  }
  return isCut ? `${drawn} of ${rows} shown; the table has all` : rows;
}
