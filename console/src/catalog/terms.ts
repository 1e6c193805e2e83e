/** How a catalog's values are called and told apart: inferred, or corrected by somebody. */
import type { Schemas } from "../api/client";

export type Catalog = Schemas["CatalogAnswer"];
export type CatalogTable = Schemas["CatalogTableAnswer"];
export type CatalogColumn = Schemas["CatalogColumnAnswer"];
export type CatalogItem = Schemas["CatalogItem"];
export type CatalogPatch = Schemas["CatalogPatch"];
export type CatalogKey = Catalog["relationships"][number];
type References = Schemas["ColumnPatch"]["references"];

export const ROLES = {
  id: "Identifier",
  dimension: "Dimension",
  flag: "Flag",
  date: "Date",
  measure: "Measure",
} as const;

export const AGGREGATIONS = {
  sum: "Sum",
  average: "Average only",
  neither: "Neither sum nor average",
} as const;

export const WEEKDAYS = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Whether a catalog says that there is none: no default filter, no key. */
export const isNothing = (value: CatalogItem["value"]) =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** A value as it is shown: by its name where it has one, a list by its members, none as a dash. */
export function shown(value: CatalogItem["value"], names: Record<string, string> = {}): string {
  if (value === null || isNothing(value)) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.join(", ");
  return names[String(value)] ?? String(value);
}

/** Where a value comes from, in a sentence. */
export function origin(item: CatalogItem, names: Record<string, string> = {}): string {
  if (item.corrected) return `Corrected; inferred: ${shown(item.inferred, names)}`;
  return item.reason ? `Inferred: ${item.reason}` : "Inferred";
}

/** What a form says of a text: nothing where it is as it was, null where it takes a correction back. */
export function told(text: string, item: CatalogItem): string | null | undefined {
  const before = item.corrected ? shownText(item.value) : "";
  if (text === before) return undefined;
  return text === "" ? null : text;
}

/** What a form says, read as something else than a text. */
export function readTold<T>(
  text: string | null | undefined,
  read: (text: string) => T,
): T | null | undefined {
  return typeof text === "string" ? read(text) : text;
}

/** The same of a list of words. */
export function toldWords(words: string[], before: string[]): string[] | null | undefined {
  if (words.join("\n") === before.join("\n")) return undefined;
  return words.length === 0 ? null : words;
}

/** Says whose rows a column's values name: others than was inferred, none, or again the inferred. */
export const keyPatch = (table: string, column: string, references: References): CatalogPatch => ({
  tables: { [table]: { columns: { [column]: { references } } } },
});

/** What a form begins with: what somebody said, nothing where it was inferred. */
export function shownText(value: CatalogItem["value"]): string {
  return value === null || Array.isArray(value) ? "" : String(value);
}

/** Leaves out what nothing is said of. */
export function onlyTold<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
