import { expect, it } from "vitest";
import { rowCountText } from "./row-count";
import type { Answer } from "./types";

const answer = { row_count: 195, truncated: true } as Answer;
const bars = (count: number) => ({
  labels: Array.from({ length: count }, (_, index) => index),
  datasets: [{ label: "count", data: [] }],
});

it("counts what is all there", () => {
  expect(rowCountText({ ...answer, truncated: false }, false)).toBe("195 rows");
});

it("says that rows are missing", () => {
  expect(rowCountText(answer, false)).toBe("195 rows shown; there are more");
  expect(rowCountText({ ...answer, data: bars(195) }, true)).toBe("195 rows shown; there are more");
});

it("says that only the chart is cut", () => {
  const cut = { ...answer, data: bars(50) };
  expect(rowCountText(cut, true)).toBe("50 of 195 rows shown; the table has all");
  expect(rowCountText(cut, false)).toBe("195 rows");
});

it("says that rows are missing where a chart leaves out some of those that are here", () => {
  const both = { ...answer, row_count: 1_000, data: bars(997) };
  expect(rowCountText(both, true)).toBe("997 of the first 1,000 rows shown; there are more");
  expect(rowCountText(both, false)).toBe("1,000 rows shown; there are more");
  expect(rowCountText({ ...both, visualization_type: "scatter_plot" }, true)).toBe(
    "997 of the first 1,000 rows shown, the others lack a value; there are more",
  );
});
