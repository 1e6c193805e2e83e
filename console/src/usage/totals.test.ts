import { expect, it } from "vitest";
import { totalsByKind } from "./totals";

it("sums keys and fills quiet days", () => {
  const entry = { kind: "requests", key_id: "key_1" };
  const kinds = totalsByKind({
    start: "2026-02-27",
    end: "2026-03-01",
    consumption: 0,
    entries: [
      { ...entry, day: "2026-02-27", quantity: 2 },
      { ...entry, day: "2026-02-27", quantity: 3, key_id: "key_2" },
      { ...entry, day: "2026-03-01", quantity: 1 },
    ],
  });
  expect(kinds).toEqual([
    {
      kind: "requests",
      total: 6,
      days: [
        { day: "2026-02-27", quantity: 5 },
        { day: "2026-02-28", quantity: 0 },
        { day: "2026-03-01", quantity: 1 },
      ],
    },
  ]);
});
