import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import {
  bySeverity,
  columnSummaries,
  correlationsOf,
  type FileAnalysis,
  recommendationsFor,
} from "./format";

const file: FileAnalysis = {
  filename: "shop.csv",
  stats: {
    rows: 2_000,
    columns: 3,
    missing_values: { price: 40, city: 0, day: 1 },
    column_types: { price: "float", city: "string", day: "date" },
    distinct_values: { price: 1_200, city: 5, day: 30 },
    summary: {
      price: {
        min: 0.5,
        max: 12_000,
        mean: 90,
        median: 42.125,
        std: 3,
        skewness: 4,
        quantiles: {},
      },
    },
    date_ranges: { day: { min: "2026-01-01", max: "2026-01-30" } },
    categorical_counts: { city: { Oslo: 900, Rome: 700, Bonn: 200, Graz: 150, Pula: 50 } },
  },
  correlations: [
    { feature1: "a", feature2: "b", correlation: 0.4, measure: "pearson", rows: 9 },
    { feature1: "a", feature2: "c", correlation: -0.9, measure: "pearson", rows: 9 },
  ],
  insights: [
    { type: "skew", message: "one", severity: "low", columns: [] },
    { type: "empty", message: "two", severity: "high", columns: [] },
  ],
  visualizations: [],
};

it("puts what weighs most first", () => {
  expect(bySeverity(file.insights).map(({ message }) => message)).toEqual(["two", "one"]);
});

it("does not tell the notices of the file again", () => {
  const notice = {
    type: "rows_left_out",
    message: "three",
    severity: "medium",
    columns: [],
  } as const;
  const told = bySeverity([...file.insights, { ...notice, columns: [] }]);
  expect(told.map(({ message }) => message)).toEqual(["two", "one"]);
});

it("ranks pairs by how much they go together, falling ones too", () => {
  expect(correlationsOf(file)).toEqual([
    { label: "a and c", value: -0.9 },
    { label: "a and b", value: 0.4 },
  ]);
  expect(correlationsOf(file, 1)).toHaveLength(1);
});

it("tells each column in a line", () => {
  expect(columnSummaries(file)).toEqual([
    {
      name: "price",
      missing: "2%",
      distinct: "1,200",
      values: "0.5 to 12,000, median 42.125",
    },
    { name: "city", missing: "none", distinct: "5", values: "Oslo, Rome, Bonn and 2 others" },
    { name: "day", missing: "under 0.1%", distinct: "30", values: "2026-01-01 to 2026-01-30" },
  ]);
});

it("gives the advice for one file of several, weightiest first", () => {
  const recommendations: Schemas["Recommendation"][] = [
    { type: "transform", message: "shop.csv: Look at medians.", importance: "low" },
    { type: "drop_columns", message: "shop.csv: Drop it.", importance: "high" },
    { type: "drop_columns", message: "other.csv: Drop that.", importance: "high" },
  ];
  const analysis = { recommendations } as Schemas["AnalysisAnswer"];
  expect(recommendationsFor(analysis, "shop.csv")).toEqual(["Drop it.", "Look at medians."]);
});

it("keeps the digits that no number of JavaScript holds", () => {
  const wide = {
    min: 1.5,
    max: "12345678901234567.89",
    mean: "4115226300411523.13",
    median: 2.5,
    std: 1,
    skewness: 0,
    quantiles: {},
  };
  const { stats } = file;
  const [price] = columnSummaries({ ...file, stats: { ...stats, summary: { price: wide } } });
  expect(price?.values).toBe("1.5 to 12,345,678,901,234,567.89, median 2.5");
});
