/** Asks for rows: a question's, and those that its answer lacks, as far as they may be asked for. */
import { open } from "../api/client";
import { lacksRows } from "./extent";
import type { Answered } from "./shapes";

const MOST_ROWS = 10_000;

export const hasMore = (answer: Answered) => lacksRows(answer) && answer.row_count < MOST_ROWS;

export async function answered(question: object): Promise<Answered> {
  const response = await open("POST", "/data/query", question);
  return answerIn(await response.text());
}

export function everyRow({ session_id, generated_sql }: Answered): Promise<Answered> {
  return answered({
    query_type: "sql",
    query: generated_sql,
    session_id,
    max_results: MOST_ROWS,
  });
}

/** Reads an answer; whole numbers too long for a number of JavaScript keep their digits as text. */
export function answerIn(text: string): Answered {
  const answer: Answered = JSON.parse(text);
  const exact: Answered = JSON.parse(text, digits);
  return { ...answer, rows: exact.rows };
}

function digits(_: string, value: unknown, told?: { source?: string }): unknown {
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value);
  const source = told?.source ?? "";
  return isLong && /^-?\d+$/.test(source) ? source : value;
}
