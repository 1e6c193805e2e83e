import { expect, it } from "vitest";
import { formatLabels } from "./labels";

it("names months that are told by their first days", () => {
  expect(formatLabels(["2024-01-01", null, "2025-12-01"])).toEqual(["Jan 2024", null, "Dec 2025"]);
  expect(formatLabels(["2024-01-01T00:00:00", "2024-02-01T00:00:00"])).toEqual([
    "Jan 2024",
    "Feb 2024",
  ]);
});

it("names quarters where the column is of them", () => {
  expect(formatLabels(["2024-01-01", "2024-10-01"], "sold_on_quarter")).toEqual([
    "Q1 2024",
    "Q4 2024",
  ]);
});

it.each([
  [["2024-01-01", "2024-01-08"]],
  [["2024-01-01"]],
  [[2024, 2025]],
  [["red", "2024-01-01"]],
  [[true, null]],
])("leaves other labels as they are: %j", (labels) => {
  expect(formatLabels(labels)).toEqual(labels);
});

it("shortens moments at midnight to their days", () => {
  expect(formatLabels(["2024-01-03T00:00:00"])).toEqual(["2024-01-03"]);
});

it("parts the long numbers of ranges", () => {
  expect(formatLabels(["0 to 100000", "100000 to 200000"])).toEqual([
    "0 to 100,000",
    "100,000 to 200,000",
  ]);
  expect(formatLabels(["1990 to 2000"])).toEqual(["1990 to 2000"]);
});
