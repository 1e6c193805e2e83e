import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { become, stored } from "./credentials";
import { useKey as enterByKey } from "./signing-in";
import { Writing } from "./writing";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  become({ way: "none", why: "" });
});

const keyOf = (key_prefix: string, permission_level: string) => ({
  key_prefix,
  key_suffix: "wxyz",
  permission_level,
});
const keys = [keyOf("mw_read", "read_only"), keyOf("mw_both", "read_write")];
const pagination = { total: 2, limit: 100, offset: 0, has_more: false };

async function entered(key: string) {
  vi.stubGlobal("fetch", async ({ url }: Request) =>
    Response.json(url.endsWith("/auth/user") ? { user_id: "user_1" } : { keys, pagination }),
  );
  await enterByKey(key);
  const kept = stored();
  if (kept) become(kept); // as after a reload
  render(
    <MantineProvider>
      <Writing>Delete</Writing>
    </MantineProvider>,
  );
  return screen.queryByText("Delete");
}

it("offers what changes data to a key that may write", async () => {
  expect(await entered("mw_both0000wxyz")).toBeTruthy();
});

it("offers none of it to a key that may only read, also after a reload", async () => {
  expect(await entered("mw_read0000wxyz")).toBeNull();
});

it("leaves it to the server where the key is not among those that are listed", async () => {
  expect(await entered("mw_old00000wxyz")).toBeTruthy();
});
