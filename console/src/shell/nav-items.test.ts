import { expect, it } from "vitest";
import type { Level } from "../session/credentials";
import { navItemsFor } from "./nav-items";

const labels = (...[credentials]: Parameters<typeof navItemsFor>) =>
  navItemsFor(credentials).map(({ label }) => label);

it.each<[Level, boolean]>([
  ["admin", true],
  ["read_write", false],
  ["read_only", false],
])("shows the audit log to operators alone, by password or key: %s", (level, isShown) => {
  const places = [
    labels({ way: "cookie", csrfToken: "t", level }),
    labels({ way: "key", key: "mw_1", level }),
  ];
  for (const shown of places) expect(shown.includes("Audit log")).toBe(isShown);
});
