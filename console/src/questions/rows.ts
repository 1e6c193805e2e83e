/** Asks for rows: a question's, and those that its answer lacks, as far as they may be asked for. */
import { open } from "../api/client";
import { hasRowsLeft } from "./row-count";
import type { Answer } from "./types";

const MAX_ROWS = 10_000;

export const canFetchMore = (answer: Answer) => hasRowsLeft(answer) && answer.row_count < MAX_ROWS;

export async function runQuery(question: object): Promise<Answer> {
  const response = await open("POST", "/data/query", question);
  return parseAnswer(await response.text());
}

export function fetchAllRows({ session_id, generated_sql }: Answer): Promise<Answer> {
  return runQuery({
    query_type: "sql",
    query: generated_sql,
    session_id,
    max_results: MAX_ROWS,
  });
}

/** Reads an answer; whole numbers too long for a number of JavaScript keep their digits as text. */
export function parseAnswer(text: string): Answer {
  const answer: Answer = JSON.parse(text);
  const exact: Answer = JSON.parse(text, digits);
  return { ...answer, rows: exact.rows };
}

function digits(_: string, value: unknown, told?: { source?: string }): unknown {
  const isLong = Number.isInteger(value) && !Number.isSafeInteger(value);
  const source = told?.source ?? "";
  return isLong && /^-?\d+$/.test(source) ? source : value;
}
