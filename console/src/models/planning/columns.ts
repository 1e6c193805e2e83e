/** Which columns a model is to learn from, once some are left out. */
import type { FieldType, Plan } from "../shapes";

export type Types = Record<string, FieldType>;

/** The columns of a plan that lacks `before`, but for those of `now`; null where none is left out. */
export function rest({ features, types }: Plan, before: Types, now: Types): Types | null {
  if (Object.keys(now).length === 0) return null;
  const used = Object.entries({ ...types, ...before }).filter(
    ([name]) => !(name in now) && (features.includes(name) || name in before),
  );
  return Object.fromEntries(used);
}

export function without(columns: Types, name: string): Types {
  return Object.fromEntries(Object.entries(columns).filter(([column]) => column !== name));
}
