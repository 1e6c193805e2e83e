import { describe, expect, it } from "vitest";
import { Problem } from "./problem";
import { isWorthAnotherTry } from "./queries";

const refused = (status: number, after?: number) =>
  new Problem("no", status, "code", [], undefined, after);

describe("isWorthAnotherTry", () => {
  it.each([
    ["a fault", new Problem("oh", 503, "code"), true],
    ["a server that is away", new TypeError("Failed to fetch"), true],
    ["a rate that was exceeded", refused(429, 3), true],
    ["a lock-out", refused(429, 900), false],
    ["what is not there", refused(404), false],
  ])("judges %s", (_, error, isWorth) => {
    expect(isWorthAnotherTry(0, error)).toBe(isWorth);
    expect(isWorthAnotherTry(2, error)).toBe(false);
  });
});
