import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { setCredentials } from "./credentials";
import { SessionGate } from "./gate";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

const SESSION = { user_id: "user_1", email: "a@example.org", csrf_token: "t" };
const nobody = () => new Response("{}", { status: 401 });
const away = () => {
  throw new TypeError("Failed to fetch");
};

function shown(answer: () => Response) {
  vi.stubGlobal("fetch", async () => answer());
  render(
    <MantineProvider>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
      >
        <SessionGate>inside</SessionGate>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it("lets in who is signed in", async () => {
  shown(() => Response.json(SESSION));
  expect(await screen.findByText("inside")).toBeTruthy();
});

it("asks who nobody is", async () => {
  shown(nobody);
  expect(await screen.findByLabelText("E-mail", { exact: false })).toBeTruthy();
});

it.each([
  ["is away", away],
  ["is away behind a proxy", () => new Response("<html>", { status: 502 })],
])("says so where the server %s, and asks again", async (_, answer) => {
  shown(answer);
  expect((await screen.findByRole("alert")).textContent).toMatch(/can't be reached/);
  expect(screen.queryByLabelText("E-mail", { exact: false })).toBeNull();
  vi.stubGlobal("fetch", async () => Response.json(SESSION));
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("inside")).toBeTruthy();
});
