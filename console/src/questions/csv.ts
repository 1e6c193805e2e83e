/** Writes an answer as CSV. */

export function csvOf(columns: string[], rows: unknown[][]): string {
  return [columns, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
