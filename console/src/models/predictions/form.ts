/** From what is typed into a form to what a model's input schema asks for. */
import type { FieldType } from "../types";

export type Row = Record<string, string | number | boolean | null>;
export type Schema = Record<string, FieldType>;

/** Reads one field; an empty one is a gap, and what can't be read is left for the API to refuse. */
export function readValue(text: string, type: FieldType): Row[string] {
  const typed = text.trim();
  if (typed === "") return null;
  if (type === "integer" || type === "float") {
    const number = Number(typed);
    return Number.isFinite(number) ? number : text;
  }
  if (type === "boolean") {
    if (/^(true|yes|1)$/i.test(typed)) return true;
    if (/^(false|no|0)$/i.test(typed)) return false;
  }
  return type === "string" ? text : typed;
}

export function rowOf(texts: Record<string, string>, schema: Schema): Row {
  return Object.fromEntries(
    Object.entries(schema).map(([name, type]) => [name, readValue(texts[name] ?? "", type)]),
  );
}

/** Values that a column has, most frequent first, as suggestions. */
export function suggestions(values: string[], most = 20): string[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([value]) => value);
}
