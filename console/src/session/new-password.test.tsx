import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { credentials, setCredentials } from "./credentials";
import { ChangePassword } from "./new-password";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

async function change(answer: Response) {
  const fetched = vi.fn(async () => answer);
  vi.stubGlobal("fetch", fetched);
  setCredentials({ way: "cookie", csrfToken: "before", level: "admin" });
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ChangePassword />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Change the password" }));
  for (const [label, value] of [
    ["Current password", "her old password"],
    ["New password", "her new password"],
  ] as const) {
    fireEvent.change(await screen.findByLabelText(label, { exact: false, selector: "input" }), {
      target: { value },
    });
  }
  fireEvent.click(screen.getByRole("button", { name: "Change password" }));
  return fetched;
}

it("sends both and goes on in the new session", async () => {
  const session = { user_id: "user_1", level: "admin", csrf_token: "after" };
  const fetched = await change(Response.json(session));
  expect((await screen.findByRole("status")).textContent).toMatch(/is changed/);
  const [path, init] = fetched.mock.calls[0] as unknown as [string, RequestInit];
  expect([init.method, path]).toEqual(["PATCH", "/console/session"]);
  expect(JSON.parse(String(init.body))).toEqual({
    current_password: "her old password",
    password: "her new password",
  });
  expect(credentials()).toEqual({ way: "cookie", csrfToken: "after", level: "admin" });
});

it("says at the field that the present one is wrong, and stays signed in", async () => {
  const details = [{ field: "current_password", message: "is wrong." }];
  const error = { code: "validation_failed", message: "current_password: is wrong.", details };
  await change(Response.json({ error: { ...error, status: 422 } }, { status: 422 }));
  const field = await screen.findByLabelText("Current password", {
    exact: false,
    selector: "[aria-invalid=true]",
  });
  expect(document.activeElement).toBe(field);
  expect(screen.getByText("Is wrong.")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(credentials().way).toBe("cookie");
});
