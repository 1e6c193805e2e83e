/** The rows that an answer lacks, as far as they may be asked for. */
import { call } from "../api/client";
import { lacksRows } from "./extent";
import type { Answered } from "./shapes";

const MOST_ROWS = 10_000;

export const hasMore = (answer: Answered) => lacksRows(answer) && answer.row_count < MOST_ROWS;

export function everyRow({ session_id, generated_sql }: Answered): Promise<Answered> {
  return call<Answered>("POST", "/data/query", {
    query_type: "sql",
    query: generated_sql,
    session_id,
    max_results: MOST_ROWS,
  });
}
