import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { setCredentials } from "../session/credentials";
import { renderPage } from "../test-utils";
import { KeysPage } from "./page";

afterEach(() => {
  cleanup();
  setCredentials({ way: "none", why: "" });
  vi.unstubAllGlobals();
});

const keyOf = (name: string, status: string, expires_at: string | null) => ({
  key_id: name,
  key_prefix: "mw_abc",
  key_suffix: "xyz",
  name,
  permission_level: "read_only",
  status,
  created_at: "2026-03-02T12:00:00Z",
  last_used_at: null,
  expires_at,
});

it("tells a key that ends from one that has ended and one that was revoked", async () => {
  const keys = [
    keyOf("lasting", "active", null),
    keyOf("ending", "active", "2999-03-02T12:00:00Z"),
    keyOf("ended", "active", "2020-03-02T12:00:00Z"),
    keyOf("taken", "revoked", null),
  ];
  vi.stubGlobal("fetch", async () =>
    Response.json({ keys, pagination: { total: 4, limit: 20, offset: 0, has_more: false } }),
  );
  renderPage(KeysPage);
  await screen.findByText("lasting");
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => row.textContent);
  expect(rows[0]).toMatch(/neveractiveRevoke$/);
  expect(rows[1]).toMatch(/activeuntil 3\/2\/2999Revoke$/);
  expect(rows[2]).toMatch(/expiredsince 3\/2\/2020Revoke$/);
  expect(rows[3]).toMatch(/revoked$/);
});

it.each([
  ["mw_abc1xyz", /, and so is this tab, which is signed in with it\./],
  ["mw_abc1xya", /from the next request on\./],
])("says what revoking does to who is signed in with %s", async (key, said) => {
  setCredentials({ way: "key", key, level: "read_write" });
  const keys = [keyOf("mine", "active", null)];
  vi.stubGlobal("fetch", async () =>
    Response.json({ keys, pagination: { total: 1, limit: 20, offset: 0, has_more: false } }),
  );
  renderPage(KeysPage);
  fireEvent.click(await screen.findByRole("button", { name: /Revoke/ }));
  await screen.findByText(said);
});
