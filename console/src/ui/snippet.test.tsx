import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Snippet } from "./snippet";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const shown = () => {
  render(
    <MantineProvider>
      <Snippet text="mw_1" label="Copy the key" />
    </MantineProvider>,
  );
  screen.getByText("mw_1");
  return screen.queryByRole("button", { name: "Copy the key" });
};

it("copies where the browser lets it, and promises nothing elsewhere", () => {
  expect(shown()).toBeTruthy();
  cleanup();
  // As on a page that came without TLS from another machine.
  vi.stubGlobal("navigator", { clipboard: undefined });
  expect(shown()).toBeNull();
});
