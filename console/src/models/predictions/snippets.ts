/** Code that calls a model, with a row of its own data. */
import type { Model } from "../../api/queries";
import { predictsNumber } from "../types";
import type { Row } from "./form";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The model at the address that stays, where the version in service answers. */
export const inServiceOf = (model: Model): Model => ({
  ...model,
  endpoint: model.endpoint.replace(`/${model.model_version}/infer`, "/infer"),
});

export function curlOf(model: Model, row: Row): string {
  const sureness = predictsNumber(model) ? "interval" : "probabilities";
  return [
    `curl ${quoted(`${model.endpoint}?include=${sureness}`)}`,
    "  -H 'x-api-key: YOUR_KEY'",
    "  -H 'Content-Type: application/json'",
    `  -d ${quoted(JSON.stringify(row, null, 2))}`,
  ].join(" \\\n");
}

export function pythonOf(model: Model, row: Row): string {
  const members = Object.entries(row).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${pythonValue(value)},`,
  );
  return [
    "import httpx",
    "",
    "row = {",
    ...members,
    "}",
    "answer = httpx.post(",
    `    ${JSON.stringify(model.endpoint)}, json=row, headers={"x-api-key": "YOUR_KEY"}`,
    ")",
    'print(answer.raise_for_status().json()["result"])',
  ].join("\n");
}

function pythonValue(value: Row[string]): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}
