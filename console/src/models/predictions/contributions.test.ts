import { expect, it } from "vitest";
import type { Explanation } from "../types";
import { contributionsOf } from "./contributions";

const contributions = { rooms: -0.3369, age: 0, size: 1.54 };

const told = (explanation: Omit<Explanation, "contributions">) => {
  const { about, bars, spell } = contributionsOf({ ...explanation, contributions }, "price");
  return [about, ...bars.map(({ label, value }) => `${label} ${spell(value)}`)];
};

it("tells numbers by their own units, the weightiest first, and leaves out what adds nothing", () => {
  expect(told({ link: "value", of: null })).toEqual([
    "What each column adds to price or takes away",
    "size +1.54",
    "rooms −0.337",
  ]);
});

it("tells what adds to a logarithm in per cent", () => {
  expect(told({ link: "log1p(value)", of: null })).toEqual([
    "By how much each column raises or lowers price",
    "size +366.5%",
    "rooms −28.6%",
  ]);
});

it.each(["log_odds", "score"])("tells %s as what multiplies the odds of a class", (link) => {
  expect(told({ link, of: 1 })).toEqual([
    "What each column makes of the odds of “1”",
    "size × 4.66",
    "rooms ÷ 1.4",
  ]);
});
