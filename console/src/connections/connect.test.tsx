import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Connect } from "./connect";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** Opens the dialog as after a session that ended. */
async function opened() {
  cleanup();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterContextProvider router={router}>
          <Connect />
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByText("Connect a database"));
  await screen.findByRole("dialog");
}

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { exact: false, selector: "input" });

it("keeps what was typed, but for the password, which is stored nowhere", async () => {
  await opened();
  fireEvent.change(field("Host"), { target: { value: "db.example.org" } });
  fireEvent.change(field("Password"), { target: { value: "the secret" } });
  fireEvent.change(field("User"), { target: { value: "reader" } });
  expect(field("Password").value).toBe("the secret");
  await opened();
  expect(field("Host").value).toBe("db.example.org");
  expect(field("User").value).toBe("reader");
  expect(field("Password").value).toBe("");
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("the secret");
});
