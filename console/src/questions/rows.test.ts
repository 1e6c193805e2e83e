import { expect, it } from "vitest";
import { parseAnswer } from "./rows";

it("keeps all digits of long whole numbers, such as ids, and numbers for charts", () => {
  const rows =
    "[[1234567890123456789, 7, 0.1, 1e20, [9007199254740993]], [-1234567890123456789, 8]]";
  const datasets = '[{"label": "sum", "data": [1234567890123456789]}]';
  const answer = parseAnswer(`{"rows": ${rows}, "data": {"labels": [], "datasets": ${datasets}}}`);
  expect(answer.rows).toEqual([
    ["1234567890123456789", 7, 0.1, 1e20, ["9007199254740993"]],
    ["-1234567890123456789", 8],
  ]);
  expect(answer.data?.datasets[0]?.data).toEqual([Number("1234567890123456789")]);
});
