import { expect, it } from "vitest";
import { begun } from "./offset";

it("takes the place in a list, and what it is searched for, from an address, and nothing that is none", () => {
  expect(begun({ from: 40, tab: "x" })).toEqual({ from: 40 });
  expect(begun({ find: "sales", from: 40 })).toEqual({ find: "sales", from: 40 });
  for (const find of ["", 7, undefined]) expect(begun({ find })).toEqual({});
  for (const from of [0, -20, 1.5, "40", undefined]) expect(begun({ from })).toEqual({});
});
