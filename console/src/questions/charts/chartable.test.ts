import { expect, it } from "vitest";
import type { Answer } from "../types";
import { chartOf } from "./chartable";

const answer = (rows: unknown[][], rest: Partial<Answer> = {}): Answer => ({
  query_id: "query_1",
  session_id: "session_1",
  result_type: "table",
  columns: ["city", "avg_rent"],
  rows,
  row_count: rows.length,
  truncated: false,
  execution_time_ms: 1,
  generated_sql: "SELECT",
  ...rest,
});

it("draws names with a number each as bars", () => {
  const drawn = chartOf(
    answer([
      ["Oslo", 12.5],
      [null, null],
    ]),
  );
  expect(drawn?.visualization_type).toBe("bar_chart");
  expect(drawn?.data).toEqual({
    labels: ["Oslo", null],
    datasets: [{ label: "avg_rent", data: [12.5, null] }],
  });
});

it("draws days as a line", () => {
  const days = [
    ["2026-01-01", 1],
    ["2026-02-01", 2],
  ];
  expect(chartOf(answer(days))?.visualization_type).toBe("line_chart");
});

it.each([
  ["one row", [["Oslo", 1]]],
  [
    "names that repeat",
    [
      ["Oslo", 1],
      ["Oslo", 2],
    ],
  ],
  [
    "numbers alone",
    [
      [1, 1],
      [2, 2],
    ],
  ],
  [
    "names alone",
    [
      ["Oslo", "Bergen"],
      ["Rome", "Pisa"],
    ],
  ],
  ["too many rows", Array.from({ length: 31 }, (_, index) => [`city ${index}`, index])],
])("draws no %s", (_, rows) => {
  expect(chartOf(answer(rows))).toBeUndefined();
});

it("draws no part of a table", () => {
  const rows = [
    ["Oslo", 1],
    ["Rome", 2],
  ];
  expect(chartOf(answer(rows, { truncated: true }))).toBeUndefined();
});

it("leaves a chart as it is", () => {
  const chart = answer([], { result_type: "visualization", visualization_type: "pie_chart" });
  expect(chartOf(chart)).toBe(chart);
});
