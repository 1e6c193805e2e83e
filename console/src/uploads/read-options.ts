/** How a file is to be read: what is shown of a guess, and what is sent of a correction. */
import type { Schemas } from "../api/client";
import { plural } from "../ui/number-format";

export type FileOptions = Schemas["FileOptions"];
type FileDetail = Schemas["FileDetail"];
type ColumnType = Schemas["ColumnInfo"]["type"];

/** The form's fields as they are typed. */
export interface ReadForm {
  sheet: string;
  delimiter: string;
  encoding: string;
  header_rows: string;
  skip_rows: string;
  decimal: string;
  null_values: string;
  types: Record<string, ColumnType>;
}

const TEXT_FIELDS = [
  "sheet",
  "delimiter",
  "encoding",
  "header_rows",
  "skip_rows",
  "decimal",
  "null_values",
] as const;
type Field = (typeof TEXT_FIELDS)[number];

export const LABELS: Record<Field, string> = {
  sheet: "Sheet",
  delimiter: "Delimiter",
  encoding: "Encoding",
  header_rows: "Header rows",
  skip_rows: "Rows to skip above them",
  decimal: "Decimal separator",
  null_values: "Texts that mean “missing”",
};

const DELIMITERS: Record<string, string> = {
  ",": "comma",
  ";": "semicolon",
  tab: "tab",
  "|": "vertical bar",
  " ": "space",
};

/** Fills the form with how the file was read, or was to be read where that failed. */
export function formOf({ read_as, options, column_info }: FileDetail): ReadForm {
  const text = (field: Field) => {
    const value = read_as ? read_as[field] : options?.[field];
    return Array.isArray(value) ? value.join("\n") : String(value ?? "");
  };
  return {
    ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, text(field)])) as Record<
      Field,
      string
    >),
    types: Object.fromEntries((column_info ?? []).map(({ name, type }) => [name, type])),
  };
}

const OF_SHEETS: Field[] = ["sheet", "header_rows", "skip_rows", "null_values"];
const OF_TEXT: Field[] = [
  "delimiter",
  "encoding",
  "header_rows",
  "skip_rows",
  "decimal",
  "null_values",
];

/** The fields that can be said of a file of its kind; its name tells the kind where it was not read. */
export function fieldsOf({ read_as, error, filename }: FileDetail): Field[] {
  if (!read_as) return error ? fieldsByName(filename) : [];
  if (read_as.sheet) return OF_SHEETS;
  if (read_as.header_rows === null) return ["encoding"];
  return OF_TEXT;
}

function fieldsByName(filename: string): Field[] {
  const name = filename.toLowerCase().replace(/\.(gz|zip|bz2|xz|zst)$/, "");
  if (/\.(xls[xmb]?|ods)$/.test(name)) return OF_SHEETS;
  if (/\.(json|jsonl|ndjson)$/.test(name)) return ["encoding"];
  return /\.(csv|tsv|tab|txt|psv|dat)$/.test(name) ? OF_TEXT : [];
}

/** What was said before, with what the form changes; the rest is guessed anew. */
export function optionsOf(file: FileDetail, form: ReadForm): FileOptions {
  const before = formOf(file);
  const options: Record<string, unknown> = { ...(file.options ?? {}) };
  for (const field of fieldsOf(file)) {
    if (form[field] !== before[field]) options[field] = optionValue(field, form[field]);
  }
  const types = Object.entries(form.types).filter(([name, type]) => before.types[name] !== type);
  if (types.length > 0) {
    const said = (file.options?.types ?? {}) as Record<string, ColumnType>;
    options.types = { ...said, ...Object.fromEntries(types) };
  }
  return options as FileOptions;
}

function optionValue(field: Field, text: string): unknown {
  if (field === "header_rows" || field === "skip_rows") return Number(text || 0);
  if (field === "null_values") return text.split("\n").filter((line) => line !== "");
  return text === "" ? null : text;
}

/** Whether anything was changed. */
export const isChanged = (file: FileDetail, form: ReadForm) =>
  JSON.stringify(formOf(file)) !== JSON.stringify(form);

/** Says in words how a file was read, and how much of it was said by its owner. */
export function summaryOf({ read_as, options }: FileDetail): string {
  const shown = read_as ?? (options as Schemas["ReadAs"] | null);
  const parts = shown ? partsOf(shown).filter(Boolean) : [];
  const said = Object.keys(options ?? {}).length > 0 ? "Read as you said" : "Read as";
  return parts.length > 0 ? `${said}: ${parts.join(" · ")}` : "";
}

function partsOf({ sheet, delimiter, encoding, skip_rows, decimal, ...more }: Schemas["ReadAs"]) {
  const missing = more.null_values ?? [];
  return [
    sheet && `sheet “${sheet}”`,
    delimiter && `${DELIMITERS[delimiter] ?? `“${delimiter}”`} between cells`,
    encoding && encodingName(encoding),
    headerOf(more.header_rows ?? 1),
    skip_rows && `${plural(skip_rows, "line")} skipped above the header`,
    decimal === "," && "decimal comma",
    missing.length > 0 && `missing: ${missing.join(", ")}`,
  ];
}

/** An encoding as people write it: `UTF-8`, `Windows-1252`. */
export const encodingName = (encoding: string) =>
  encoding.toUpperCase().replace(/^WINDOWS/, "Windows");

function headerOf(rows: number): string {
  if (rows === 0) return "no header row";
  return rows > 1 ? `${rows} header rows` : "";
}
