/** Reads the plan out of a version's description. */
import type { Schemas } from "../../api/client";
import type { Plan } from "../types";

function isPlan(value: unknown): value is Plan {
  return typeof value === "object" && value !== null && "task" in value && "target" in value;
}

export function planOf({ plan }: Schemas["VersionDescription"]): Plan | undefined {
  return isPlan(plan) ? plan : undefined;
}
