import { expect, it } from "vitest";
import { mostFrequentConfusion, rowShares } from "./confusion-format";

it("names the answer most often given for another truth", () => {
  const matrix = [
    [6, 23, 11],
    [0, 260, 92],
    [0, 78, 368],
  ];
  expect(mostFrequentConfusion(matrix, ["q4", "q5", "q6"])).toBe(
    "Its most frequent mistake is to predict q6 where q5 is right (92 rows).",
  );
});

it("names no mistake where there is none", () => {
  const diagonal = [
    [3, 0],
    [0, 4],
  ];
  expect(mostFrequentConfusion(diagonal, ["a", "b"])).toBeUndefined();
});

it("shares the rows of each truth, also of one that was not held out", () => {
  const matrix = [
    [1, 3],
    [0, 0],
  ];
  expect(rowShares(matrix)).toEqual([
    [0.25, 0.75],
    [0, 0],
  ]);
});
