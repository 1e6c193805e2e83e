import { describe, expect, it } from "vitest";
import { readValue, rowOf, suggestions } from "./form";

describe("readValue", () => {
  it.each([
    ["", "string", null],
    ["  ", "integer", null],
    ["9", "integer", 9],
    ["2.5", "float", 2.5],
    ["-1e3", "float", -1000],
    ["nine", "integer", "nine"],
    ["007", "string", "007"],
    ["Yes", "boolean", true],
    ["false", "boolean", false],
    ["perhaps", "boolean", "perhaps"],
    [" 2026-01-31 ", "date", "2026-01-31"],
  ] as const)("reads %j as %s", (text, type, value) => {
    expect(readValue(text, type)).toBe(value);
  });
});

describe("rowOf", () => {
  it("has every field of the schema and no other", () => {
    const row = rowOf({ age: "41", extra: "x" }, { age: "integer", plan: "string" });
    expect(row).toEqual({ age: 41, plan: null });
  });
});

describe("suggestions", () => {
  it("puts frequent values first and leaves gaps out", () => {
    expect(suggestions(["b", "a", "", "a"])).toEqual(["a", "b"]);
  });
});
