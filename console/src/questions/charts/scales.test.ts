import { describe, expect, it } from "vitest";
import { formatTick, linearScale, tickFormatter, ticksOf, truncateToWidth } from "./scales";

describe("ticksOf", () => {
  it.each([
    [0, 1854, [0, 500, 1000, 1500, 2000]],
    [0, 0.3, [0, 0.1, 0.2, 0.3]],
    [-3, 7, [-4, -2, 0, 2, 4, 6, 8]],
    [5, 5, [5, 6]],
    [486.318438356, 486.3184383561, [400, 500]],
  ])("holds %d to %d in round numbers", (low, high, ticks) => {
    expect(ticksOf(low, high)).toEqual(ticks);
  });

  it("survives having nothing to show", () => {
    expect(ticksOf(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual([0, 1]);
  });
});

describe("scaleOf", () => {
  it("lets bars begin at zero", () => {
    const { ticks, place } = linearScale([60, 66], 0, 100, true);
    expect(ticks[0]).toBe(0);
    expect(place(0)).toBe(0);
  });

  it("looks closely at points", () => {
    expect(linearScale([60, 66], 0, 100, false).ticks[0]).toBe(60);
  });
});

describe("tickSpeller", () => {
  it.each([
    [
      [0, 2000, 8000],
      ["0", "2,000", "8,000"],
    ],
    [
      [0, 5000, 10_000],
      ["0", "5K", "10K"],
    ],
    [
      [1_000_000, 1_000_100],
      ["1M", "1.0001M"],
    ],
    [
      [0, 0.0005],
      ["0", "0.0005"],
    ],
  ])("spells %j in one manner", (ticks, texts) => {
    expect(ticks.map(tickFormatter(ticks))).toEqual(texts);
  });
});

describe("spelt", () => {
  it.each([
    [12_345, "12,345"],
    [1234.56, "1,235"],
    [0.00012, "0.00012"],
    [1_250_000, "1.25M"],
  ])("tells %d", (value, text) => expect(formatTick(value)).toBe(text));
});

describe("fitting", () => {
  it("keeps what has room", () => {
    expect(truncateToWidth("Month-to-month", 98)).toBe("Month-to-month");
  });

  it("cuts what has none, and counts wide letters as wide", () => {
    expect(truncateToWidth("Month-to-month", 90)).toBe("Month-to-mo…");
    expect(truncateToWidth("東京都千代田区", 60)).toBe("東京都…");
  });
});
