import { expect, it } from "vitest";
import { placesOf } from "./places";

const labels = (...[credentials]: Parameters<typeof placesOf>) =>
  placesOf(credentials).map(({ label }) => label);

it("shows the audit log to operators alone", () => {
  const session = { way: "cookie", csrfToken: "t" } as const;
  expect(labels({ ...session, isOperator: true })).toContain("Audit log");
  expect(labels({ ...session, isOperator: false })).not.toContain("Audit log");
  expect(labels({ way: "key", key: "mw_1", isReadOnly: false })).not.toContain("Audit log");
});
