import { expect, it } from "vitest";
import { listSearch } from "./list-search";

it("takes the place in a list, and what it is searched for, from an address, and nothing that is none", () => {
  expect(listSearch({ from: 40, tab: "x" })).toEqual({ from: 40 });
  expect(listSearch({ find: "sales", from: 40 })).toEqual({ find: "sales", from: 40 });
  for (const find of ["", 7, undefined]) expect(listSearch({ find })).toEqual({});
  for (const from of [0, -20, 1.5, "40", undefined]) expect(listSearch({ from })).toEqual({});
});
