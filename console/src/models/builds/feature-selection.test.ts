import { expect, it } from "vitest";
import type { Plan } from "../types";
import { remainingColumns, withoutColumn } from "./feature-selection";

const plan = {
  features: ["age", "sex"],
  types: { age: "integer", sex: "string", grade: "float" },
} as unknown as Plan;

it("names no columns where none is left out, so that all that serve are used", () => {
  expect(remainingColumns(plan, { school: "string" }, {})).toBeNull();
});

it("names what is left of the columns, without the one to predict", () => {
  expect(remainingColumns(plan, {}, { age: "integer" })).toEqual({ sex: "string" });
});

it("uses again what a plan lacks that is no longer left out", () => {
  const before = { school: "string", town: "string" } as const;
  const now = withoutColumn(before, "school");
  expect(remainingColumns(plan, before, now)).toEqual({
    age: "integer",
    sex: "string",
    school: "string",
  });
});
