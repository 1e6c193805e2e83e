/** Questions that a table can be asked to begin with, made of its own columns. */
import type { Schemas } from "../api/client";

type Column = Schemas["ColumnInfo"];

const isGroup = ({ type, unique }: Column) => !unique && (type === "string" || type === "boolean");
const isAmount = ({ type, unique, name }: Column) =>
  type === "float" || (type === "integer" && !unique && !/(^|_)(id|code|year)$/i.test(name));

export function examples(columns: Column[]): string[] {
  const group = columns.find(isGroup)?.name;
  const amount =
    columns.find(({ type, unique }) => type === "float" && !unique) ?? columns.find(isAmount);
  const date = columns.find(({ type }) => type === "date")?.name;
  return [
    "How many rows are there?",
    group && `Number of rows per ${group}`,
    group && amount && `Bar chart of average ${amount.name} by ${group}`,
    amount && `Histogram of ${amount.name}`,
    date && `Line chart of number of rows per month of ${date}`,
  ].filter((question) => question !== undefined);
}
