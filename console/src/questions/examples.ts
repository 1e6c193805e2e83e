/** Questions that a table can be asked to begin with, made of its columns and first rows. */
import type { Schemas } from "../api/client";
import { tellsYears } from "../ui/number-format";
import type { TextRecord } from "../uploads/records";

type Column = Schemas["ColumnInfo"];

/** More groups than these make a chart that nobody reads. */
const MOST_GROUPS = 20;

/** Numbers that name a thing or a place, of which no mean is worth a question. */
const NO_AMOUNT = /(^|[_\s])(id|code|zip|lat|lon|lng|latitude|longitude)($|[_\s])/i;

export function examples(columns: Column[], rows: TextRecord[]): string[] {
  const valuesOf = ({ name }: Column) => rows.map((row) => row[name]).filter(Boolean);
  const isGroup = (column: Column) => {
    const kinds = new Set(valuesOf(column)).size;
    return /string|boolean/.test(column.type) && kinds > 1 && kinds <= MOST_GROUPS;
  };
  const isAmount = ({ type, unique, name }: Column) =>
    /float|integer/.test(type) && !unique && !NO_AMOUNT.test(name) && !tellsYears(name);

  const filled = columns.filter((column) => 2 * valuesOf(column).length > rows.length);
  const group = filled.find(isGroup)?.name;
  const amounts = filled.filter(isAmount);
  const amount = amounts.find(({ type }) => type === "float") ?? amounts[0];
  const date = filled.find(({ type }) => type === "date")?.name;
  return [
    "How many rows are there?",
    group && `Number of rows per ${group}`,
    group && amount && `Bar chart of average ${amount.name} by ${group}`,
    amount && `Histogram of ${amount.name}`,
    date && `Line chart of number of rows per month of ${date}`,
  ].filter((question) => question !== undefined);
}
