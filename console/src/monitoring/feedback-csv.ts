/** Reads a table of what turned out, and tells it in portions. */
import { api, unwrap } from "../api/client";
import { readValue } from "../models/predictions/form";
import type { FieldType } from "../models/types";
import { csvRows } from "./csv-rows";

export interface Outcome {
  request_id: string;
  actual: string | number | boolean;
}

export interface FeedbackSummary {
  accepted: number;
  unknown: string[];
}

/** As many as one request may tell. */
const BATCH_ROWS = 10_000;
const KINDS: Record<FieldType, string> = {
  string: "text",
  integer: "a whole number",
  float: "a number",
  boolean: "true or false",
  date: "a date",
};

/** Reads one truth as the model's answers are typed; refuses what is none, naming where it stands. */
export function parseOutcome(
  requestId: string,
  text: string,
  type: FieldType,
  where = "",
): Outcome {
  const actual = readValue(text, type);
  const isNumber = type === "integer" || type === "float";
  const isRead =
    actual !== null &&
    (!isNumber || typeof actual === "number") &&
    (type !== "integer" || Number.isInteger(actual)) &&
    (type !== "boolean" || typeof actual === "boolean");
  if (!isRead) throw new Error(`${where}“${text}” is not ${KINDS[type]}.`);
  return { request_id: requestId.trim(), actual };
}

/**
 * Reads a CSV with the columns `request_id` and `actual`, or the target's name in its place; rows
 * without a truth are left out.
 */
export function parseOutcomes(text: string, type: FieldType, target: string): Outcome[] {
  const [head = [], ...rows] = csvRows(text);
  const names = head.map((name) => name.trim().toLowerCase());
  const id = names.indexOf("request_id");
  const actual = names.indexOf(names.includes("actual") ? "actual" : target.trim().toLowerCase());
  if (id < 0 || actual < 0) {
    const found = head.length > 0 ? `its first line has ${head.join(", ")}` : "it is empty";
    throw new Error(`The file needs the columns request_id and actual or ${target}; ${found}.`);
  }
  const truths = rows.flatMap((row, index) => {
    const told = row[actual]?.trim() ?? "";
    const requestId = row[id] ?? "";
    return told && requestId ? [parseOutcome(requestId, told, type, `Row ${index + 1}: `)] : [];
  });
  if (truths.length === 0) throw new Error("The file has no row with a request id and an outcome.");
  return truths;
}

export async function sendFeedback(
  modelName: string,
  version: string,
  truths: Outcome[],
): Promise<FeedbackSummary> {
  const path = { model_name: modelName, model_version: version };
  const sum: FeedbackSummary = { accepted: 0, unknown: [] };
  for (let start = 0; start < truths.length; start += BATCH_ROWS) {
    const { accepted, unknown } = await unwrap(
      api.POST("/models/{model_name}/{model_version}/feedback", {
        params: { path },
        body: truths.slice(start, start + BATCH_ROWS),
      }),
    );
    sum.accepted += accepted;
    sum.unknown.push(...unknown);
  }
  return sum;
}
