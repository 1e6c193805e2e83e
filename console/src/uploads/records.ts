/** The rows of a preview as records of texts, "" where there is no value. */
import type { Schemas } from "../api/client";

export type TextRecord = Record<string, string>;

export function recordsOf(preview: Schemas["TablePreview"] | Schemas["RecordPreview"]) {
  if (!("columns" in preview)) return preview.data.map(textsOf);
  const { columns } = preview;
  return preview.data.map(
    (cells): TextRecord =>
      Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])),
  );
}

function textsOf(record: Record<string, unknown>): TextRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value === null || value === undefined ? "" : String(value),
    ]),
  );
}
