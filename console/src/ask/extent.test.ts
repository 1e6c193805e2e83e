import { expect, it } from "vitest";
import { extent } from "./extent";
import type { Answered } from "./shapes";

const answer = { row_count: 195, truncated: true } as Answered;
const bars = (count: number) => ({
  labels: Array.from({ length: count }, (_, index) => index),
  datasets: [{ label: "count", data: [] }],
});

it("counts what is all there", () => {
  expect(extent({ ...answer, truncated: false }, false)).toBe("195 rows");
});

it("says that rows are missing", () => {
  expect(extent(answer, false)).toBe("195 rows shown; there are more");
  expect(extent({ ...answer, data: bars(195) }, true)).toBe("195 rows shown; there are more");
});

it("says that only the chart is cut", () => {
  const cut = { ...answer, data: bars(50) };
  expect(extent(cut, true)).toBe("50 of 195 rows shown; the table has all");
  expect(extent(cut, false)).toBe("195 rows");
});

it("says that rows are missing where a chart leaves out some of those that are here", () => {
  const both = { ...answer, row_count: 1_000, data: bars(997) };
  expect(extent(both, true)).toBe("997 of the first 1,000 rows shown; there are more");
  expect(extent(both, false)).toBe("1,000 rows shown; there are more");
  expect(extent({ ...both, visualization_type: "scatter_plot" }, true)).toBe(
    "997 of the first 1,000 rows shown, the others lack a value; there are more",
  );
});
