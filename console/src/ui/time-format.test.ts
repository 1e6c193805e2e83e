import { describe, expect, it } from "vitest";
import { ago, formatTime, lasting, milliseconds, plain } from "./time-format";

describe("ago", () => {
  const now = Date.parse("2026-03-02T12:00:00Z");
  it.each([
    ["2026-03-02T11:59:55Z", "just now"],
    ["2026-03-02T11:59:30Z", "30 seconds ago"],
    ["2026-03-02T10:00:00Z", "2 hours ago"],
    ["2026-03-01T12:00:00Z", "yesterday"],
  ])("tells %s", (moment, words) => {
    expect(ago(moment, now)).toBe(words);
  });
});

it.each([
  ["2025-01-01T00:00:00", "2025-01-01"],
  ["2025-01-01T00:00:01", "2025-01-01 00:00:01"],
  ["2025-01-01T08:15:00.25Z", "2025-01-01 08:15:00.25Z"],
  ["T00:00:00", "T00:00:00"],
])("tells a moment at midnight by its day, others legibly: %s", (text, told) => {
  expect(plain(text)).toBe(told);
});

it("tells how long something took", () => {
  expect(lasting("2026-03-02T12:00:00Z", "2026-03-02T12:00:08.6Z")).toBe("8.6 s");
  expect(lasting("2026-03-02T12:00:00Z", "2026-03-02T12:02:05Z")).toBe("2 min 5 s");
  expect(milliseconds(29.51)).toBe("29.5 ms");
  expect(milliseconds(15_135)).toBe("15 s");
});

it("writes a day and a month that the server counts as they are in UTC", () => {
  expect(formatTime("2026-03-01T00:00:00Z", "day")).toBe("Mar 1");
  expect(formatTime("2026-03-01T00:00:00Z", "month")).toBe("Mar 2026");
});
