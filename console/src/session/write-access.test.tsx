import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { signInWithKey as enterByKey } from "./auth";
import { setCredentials, storedCredentials } from "./credentials";
import { WriteAccess } from "./write-access";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

async function entered(permission_level: string) {
  const user = { user_id: "user_1", permission_level };
  vi.stubGlobal("fetch", async () => Response.json(user));
  await enterByKey("mw_1");
  const kept = storedCredentials();
  if (kept) setCredentials(kept); // as after a reload
  render(
    <MantineProvider>
      <WriteAccess>Delete</WriteAccess>
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
