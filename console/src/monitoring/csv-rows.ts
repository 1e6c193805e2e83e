/** Reads CSV: quotes, doubled quotes in them, any line end; empty lines are dropped. */

const DELIMITERS = [",", ";", "\t"];

/** The delimiter is the one that the first line has. */
export function csvRows(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, "");
  const [first = ""] = plain.split(/\r?\n|\r/, 1);
  const delimiter = DELIMITERS.find((sign) => first.includes(sign)) ?? ",";
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${delimiter}\\r\\n]*))(${delimiter}|\\r?\\n|\\r|$)`,
    "g",
  );
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare = "", end] of plain.matchAll(cell)) {
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === delimiter) continue;
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  }
  return rows;
}
