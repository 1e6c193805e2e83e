/** Reads a table of what turned out, and tells it in portions. */
import { api, taken } from "../api/client";
import { readValue } from "../models/predicting/form";
import type { FieldType } from "../models/shapes";
import { csvRows } from "./csv-rows";

export interface Truth {
  request_id: string;
  actual: string | number | boolean;
}

export interface Told {
  accepted: number;
  unknown: string[];
}

/** As many as one request may tell. */
const PORTION = 10_000;
const KINDS: Record<FieldType, string> = {
  string: "text",
  integer: "a whole number",
  float: "a number",
  boolean: "true or false",
  date: "a date",
};

/** Reads one truth as the model's answers are typed; refuses what is none, naming where it stands. */
export function truthOf(requestId: string, text: string, type: FieldType, where = ""): Truth {
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

/** Reads a CSV with the columns `request_id` and `actual`; rows without a truth are left out. */
export function truthsOf(text: string, type: FieldType): Truth[] {
  const [head = [], ...rows] = csvRows(text);
  const names = head.map((name) => name.trim().toLowerCase());
  const [id, actual] = [names.indexOf("request_id"), names.indexOf("actual")];
  if (id < 0 || actual < 0) {
    const found = head.length > 0 ? `its first line has ${head.join(", ")}` : "it is empty";
    throw new Error(`The file needs the columns request_id and actual; ${found}.`);
  }
  const truths = rows.flatMap((row, index) => {
    const told = row[actual]?.trim() ?? "";
    const requestId = row[id] ?? "";
    return told && requestId ? [truthOf(requestId, told, type, `Row ${index + 1}: `)] : [];
  });
  if (truths.length === 0) throw new Error("The file has no row with a request and its truth.");
  return truths;
}

export async function tell(modelName: string, version: string, truths: Truth[]): Promise<Told> {
  const path = { model_name: modelName, model_version: version };
  const sum: Told = { accepted: 0, unknown: [] };
  for (let start = 0; start < truths.length; start += PORTION) {
    const { accepted, unknown } = await taken(
      api.POST("/models/{model_name}/{model_version}/feedback", {
        params: { path },
        body: truths.slice(start, start + PORTION),
      }),
    );
    sum.accepted += accepted;
    sum.unknown.push(...unknown);
  }
  return sum;
}
