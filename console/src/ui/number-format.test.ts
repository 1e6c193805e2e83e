import { describe, expect, it } from "vitest";
import { bytes, decimal, fixed, percent, plural, rounded, sharedDigits } from "./number-format";

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

it("gives every number of a column as many digits", () => {
  expect([0.5, 0.25].map(fixed(3))).toEqual(["0.500", "0.250"]);
  expect(fixed(1, "percent")(-0.00001)).toBe("0.0%");
});

const SOURCES = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.*"], {
  query: "?raw",
  import: "default",
  eager: true,
});

it("is, beside the one for times, the only place that formats by the locale", () => {
  const found = Object.entries(SOURCES)
    .filter(([, text]) => /\.toLocale\w+\(|Intl\.(Number|DateTime|RelativeTime)Format/.test(text))
    .map(([path]) => path);
  expect(found).toEqual(["./number-format.ts", "./time-format.ts"]);
});

it.each([
  ["averages", [66.39849032258037, 65.04860828241674, 60.770412979351], 4],
  ["shares of a hundred", [54.60526315789474, 19.295, 7.2261], 4],
  ["amounts of thousands", [3728.9339465875396, 12.5, 0], 2],
  ["halves beside whole numbers", [12, 13.5], 1],
  ["whole numbers", [2023, 2024], undefined],
  ["small numbers", [0.00012345, 2.5], undefined],
  ["texts and gaps", ["a", null], undefined],
])("gives %s as many digits each", (_, values, digits) => {
  expect(sharedDigits(values)).toBe(digits);
});
