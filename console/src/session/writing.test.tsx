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

async function entered(permission_level: string) {
  const user = { user_id: "user_1", permission_level };
  vi.stubGlobal("fetch", async () => Response.json(user));
  await enterByKey("mw_1");
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
  expect(await entered("read_write")).toBeTruthy();
});

it("offers none of it to a key that may only read, also after a reload", async () => {
  expect(await entered("read_only")).toBeNull();
});
