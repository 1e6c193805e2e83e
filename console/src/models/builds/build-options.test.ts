import { expect, it } from "vitest";
import { type BuildOptions, NO_OPTIONS, optionsFault, requestOptions } from "./build-options";

const OPEN = { split: null, threshold: null, costs: null, sample_weight: null };

it.each<[string, Partial<BuildOptions>, object]>([
  ["leaves open what nobody fixed", {}, {}],
  [
    "splits at random",
    { splitBy: "random", splitColumn: "x" },
    { split: { by: "random", column: null } },
  ],
  [
    "splits by groups",
    { splitBy: "group", splitColumn: "id" },
    { split: { by: "group", column: "id" } },
  ],
  ["fixes the threshold", { decideBy: "threshold", threshold: "0.2" }, { threshold: 0.2 }],
  [
    "weighs errors",
    { decideBy: "costs", falseNegative: "20" },
    { costs: { false_positive: 1, false_negative: 20 } },
  ],
  ["weighs rows", { sampleWeight: "people" }, { sample_weight: "people" }],
])("%s", (_, fixed, told) => {
  const options = { ...NO_OPTIONS, ...fixed };
  expect(optionsFault(options)).toBeUndefined();
  expect(requestOptions(options)).toEqual({ ...OPEN, ...told });
});

it.each<[Partial<BuildOptions>, RegExp]>([
  [{ splitBy: "group" }, /column of the split/],
  [{ decideBy: "threshold", threshold: "1" }, /above 0 and below 1/],
  [{ decideBy: "costs", falsePositive: "0" }, /above 0/],
])("says what is missing of %o", (fixed, fault) => {
  expect(optionsFault({ ...NO_OPTIONS, ...fixed })).toMatch(fault);
});
