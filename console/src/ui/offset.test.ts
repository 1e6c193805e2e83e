import { expect, it } from "vitest";
import { begun } from "./offset";

it("takes the place in a list from an address, and nothing that is none", () => {
  expect(begun({ from: 40, tab: "x" })).toEqual({ from: 40 });
  for (const from of [0, -20, 1.5, "40", undefined]) expect(begun({ from })).toEqual({});
});
