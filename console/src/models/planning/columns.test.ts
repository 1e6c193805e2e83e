import { expect, it } from "vitest";
import type { Plan } from "../shapes";
import { rest, without } from "./columns";

const plan = {
  features: ["age", "sex"],
  types: { age: "integer", sex: "string", grade: "float" },
} as unknown as Plan;

it("names no columns where none is left out, so that all that serve are used", () => {
  expect(rest(plan, { school: "string" }, {})).toBeNull();
});

it("names what is left of the columns, without the one to predict", () => {
  expect(rest(plan, {}, { age: "integer" })).toEqual({ sex: "string" });
});

it("uses again what a plan lacks that is no longer left out", () => {
  const before = { school: "string", town: "string" } as const;
  const now = without(before, "school");
  expect(rest(plan, before, now)).toEqual({ age: "integer", sex: "string", school: "string" });
});
