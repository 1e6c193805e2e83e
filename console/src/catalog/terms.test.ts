import { expect, it } from "vitest";
import { type CatalogItem, onlyTold, origin, ROLES, shown, told, toldWords } from "./terms";

const item = (members: Partial<CatalogItem>): CatalogItem => ({
  value: "measure",
  inferred: "measure",
  reason: "it holds numbers",
  corrected: false,
  ...members,
});

it("shows values by their names, lists by their members, and none as a dash", () => {
  expect(shown("measure", ROLES)).toBe("Measure");
  expect(shown(["orders", "sales"])).toBe("orders, sales");
  expect(shown(null)).toBe("–");
  expect(shown([])).toBe("–");
  expect(shown(false)).toBe("no");
});

it("tells why a value was inferred, and what it was inferred as once it is corrected", () => {
  expect(origin(item({}))).toBe("Inferred: it holds numbers");
  expect(origin(item({ value: "id", corrected: true }), ROLES)).toBe(
    "Corrected; inferred: Measure",
  );
  expect(origin(item({ reason: null }))).toBe("Inferred");
});

it("says only what changed, and takes a correction back by an empty field", () => {
  expect(told("", item({}))).toBeUndefined();
  expect(told("id", item({}))).toBe("id");
  expect(told("id", item({ value: "id", corrected: true }))).toBeUndefined();
  expect(told("", item({ value: "id", corrected: true }))).toBeNull();
  expect(toldWords(["a"], ["a"])).toBeUndefined();
  expect(toldWords([], ["a"])).toBeNull();
  expect(toldWords(["a", "b"], ["a"])).toEqual(["a", "b"]);
  expect(onlyTold({ a: undefined, b: null, c: 1 })).toEqual({ b: null, c: 1 });
});
