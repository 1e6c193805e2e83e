/** Says how much of an answer is seen. */
import { plural, whole } from "../ui/words";
import type { Answered } from "./shapes";

export function extent(answer: Answered, asChart: boolean): string {
  const rows = plural(answer.row_count, "row");
  if (!answer.truncated) return rows;
  const { labels, datasets } = answer.data ?? { labels: [], datasets: [] };
  const isChartCut =
    answer.data !== undefined && labels.length * datasets.length < answer.row_count;
  if (!isChartCut) return `${rows} shown; there are more`;
  return asChart ? `${whole(labels.length)} of ${rows} shown; the table has all` : rows;
}
