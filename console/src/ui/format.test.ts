import { describe, expect, it } from "vitest";
import {
  ago,
  bytes,
  decimal,
  lasting,
  milliseconds,
  percent,
  plain,
  plural,
  rounded,
} from "./format";

describe("bytes", () => {
  it.each([
    [null, "–"],
    [0, "0 B"],
    [1024, "1 KB"],
    [1_460_000, "1.4 MB"],
    [5 * 1024 ** 3, "5 GB"],
  ])("spells %s", (count, words) => {
    expect(bytes(count)).toBe(words);
  });
});

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

it("counts", () => {
  expect(plural(1, "row")).toBe("1 row");
  expect(plural(7043, "row")).toBe("7,043 rows");
  expect(decimal(0.85067)).toBe("0.851");
});

it("rounds long fractions and nothing else", () => {
  expect(rounded(42.70967741935484)).toBe("42.7097");
  expect(rounded(0.000123456)).toBe("0.0001235");
  expect(rounded(20240131)).toBe("20240131");
  expect(rounded(1234.5, true)).toBe("1,234.5");
  expect(rounded(56145.31392931393, true)).toBe("56,145.31");
});

describe("percent", () => {
  it.each([
    [0, 1, "0%"],
    [0.0004, 1, "under 0.1%"],
    [0.003, 0, "under 1%"],
    [0.4567, 1, "45.7%"],
    [0.9999, 1, "over 99.9%"],
    [1, 1, "100%"],
  ])("never tells %s as none or all where it is neither", (share, digits, words) => {
    expect(percent(share, digits)).toBe(words);
  });
});
