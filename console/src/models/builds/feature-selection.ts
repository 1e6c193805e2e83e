/** Which columns a model is to learn from, once some are left out. */
import type { FieldType, Plan } from "../types";

export type ColumnTypes = Record<string, FieldType>;

/** The columns of a plan that lacks `before`, but for those of `now`; null where none is left out. */
export function remainingColumns(
  { features, types }: Plan,
  before: ColumnTypes,
  now: ColumnTypes,
): ColumnTypes | null {
  if (Object.keys(now).length === 0) return null;
  const used = Object.entries({ ...types, ...before }).filter(
    ([name]) => !(name in now) && (features.includes(name) || name in before),
  );
  return Object.fromEntries(used);
}

export function withoutColumn(columns: ColumnTypes, name: string): ColumnTypes {
  return Object.fromEntries(Object.entries(columns).filter(([column]) => column !== name));
}
