import { expect, it } from "vitest";
import type { Level } from "../session/credentials";
import { navGroupsFor } from "./nav-items";

const labels = (...[credentials]: Parameters<typeof navGroupsFor>) =>
  navGroupsFor(credentials).flatMap(({ items }) => items.map(({ label }) => label));

it("groups pages by what one comes for", () => {
  const groups = navGroupsFor({ way: "key", key: "mw_1", level: "admin" });
  expect(groups.map(({ title, items }) => [title, items[0]?.label])).toEqual([
    ["Work", "Home"],
    ["Activity", "Jobs"],
    ["Settings", "API keys"],
  ]);
});

it.each<[Level, boolean]>([
  ["admin", true],
  ["read_write", false],
  ["read_only", false],
])("shows users and the audit log to operators alone, by password or key: %s", (level, isShown) => {
  const places = [
    labels({ way: "cookie", csrfToken: "t", level }),
    labels({ way: "key", key: "mw_1", level }),
  ];
  for (const shown of places) {
    expect((["Audit log", "Users"] as const).map((label) => shown.includes(label))).toEqual([
      isShown,
      isShown,
    ]);
  }
});
