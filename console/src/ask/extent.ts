/** Says how much of an answer is here, and how much is seen. */
import { plural, whole } from "../ui/words";
import type { Answered } from "./shapes";

const isChartCut = ({ data, row_count }: Answered) =>
  data !== undefined && data.labels.length * data.datasets.length < row_count;

/** Whether there are rows that the answer does not carry; a chart may be cut where the rows are not. */
export function lacksRows(answer: Answered): boolean {
  return answer.truncated && !isChartCut(answer);
}

export function extent(answer: Answered, asChart: boolean): string {
  const rows = plural(answer.row_count, "row");
  if (lacksRows(answer)) return `${rows} shown; there are more`;
  if (!(asChart && answer.truncated && answer.data)) return rows;
  return `${whole(answer.data.labels.length)} of ${rows} shown; the table has all`;
}
