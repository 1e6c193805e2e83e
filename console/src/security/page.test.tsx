import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import domain from "../../../src/modelwright/audit/domain.py?raw";
import { renderPage } from "../test-utils";
import { ACTION_LABELS } from "./action-labels";
import { browserName } from "./browser-name";
import { SecurityPage } from "./page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-03-02T12:00:00Z";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const sessionOf = (console_session_id: string, address: string, is_current: boolean) => ({
  console_session_id,
  created_at: AT,
  last_seen_at: AT,
  expires_at: AT,
  address,
  user_agent: FIREFOX,
  is_current,
});
const entryOf = (entry_id: string, operation: string, resource: string) => ({
  entry_id,
  at: AT,
  account_id: "user_1",
  actor: "ann@example.org",
  key_id: null,
  operation,
  resource,
  path: "/auth",
  address: "10.0.0.7",
  request_id: "req_1",
});
const wrong = (field: string) =>
  Response.json(
    {
      error: {
        code: "validation_failed",
        status: 422,
        message: `${field}: is wrong.`,
        details: [{ field, message: "is wrong." }],
      },
    },
    { status: 422 },
  );

/** A server with two sessions, whose second factor takes the password "right" and the code 123456. */
function shown(isOn = false) {
  const state = {
    isOn,
    sessions: [sessionOf("one", "10.0.0.7", true), sessionOf("two", "10.0.0.9", false)],
  };
  const log: unknown[] = [];
  const standing = () =>
    Response.json({
      user_id: "user_1",
      is_on: state.isOn,
      confirmed_at: state.isOn ? AT : null,
      recovery_codes_left: state.isOn ? 10 : 0,
    });
  const answers: Record<string, (body: Record<string, string>) => Response> = {
    "GET /auth/second-factor": standing,
    "POST /auth/second-factor": ({ password }) =>
      password === "right"
        ? Response.json({ user_id: "user_1", secret: "SECRETBASE32", uri: "otpauth://totp/x" })
        : wrong("password"),
    "POST /auth/second-factor/confirm": ({ code }) => {
      if (code !== "123456") return wrong("code");
      state.isOn = true;
      return Response.json({ user_id: "user_1", recovery_codes: ["aaaa-bbbb", "cccc-dddd"] });
    },
    "POST /auth/second-factor/disable": ({ code }) => {
      if (code !== "123456") return wrong("code");
      state.isOn = false;
      return standing();
    },
    "GET /auth/sessions": () => Response.json({ sessions: state.sessions }),
    "DELETE /auth/sessions/two": () => {
      state.sessions = state.sessions.slice(0, 1);
      return Response.json({ console_session_id: "two", ended_at: AT });
    },
    "GET /auth/security-log": () =>
      Response.json({
        entries: [
          entryOf("a", "users.sign_in_failed", "user_1"),
          entryOf("b", "keys.create", "key_1"),
        ],
        pagination: { total: 45, limit: 20, offset: 0, has_more: true },
      }),
  };
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    log.push(`${request.method} ${pathname}${search}`);
    const text = await request.text();
    const answer = answers[`${request.method} ${pathname}`];
    return answer?.(text ? JSON.parse(text) : {}) ?? new Response("{}", { status: 404 });
  });
  renderPage(SecurityPage);
  return log;
}

const section = (name: string) => screen.findByRole("region", { name });
const inDialog = async () => within(await screen.findByRole("dialog"));
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

it("turns the second factor on by the password and a code, and shows recovery codes once", async () => {
  shown();
  const factor = within(await section("Second factor"));
  await factor.findByText(/Off: the password alone/);
  fireEvent.click(factor.getByRole("button", { name: "Turn on" }));
  const dialog = await inDialog();
  const password = await dialog.findByLabelText("Password", { exact: false, selector: "input" });
  type(password, "a guess");
  fireEvent.click(dialog.getByRole("button", { name: "Continue" }));
  await dialog.findByText("Is wrong.");
  type(password, "right");
  fireEvent.click(dialog.getByRole("button", { name: "Continue" }));

  await dialog.findByText("SECRETBASE32");
  dialog.getByText("otpauth://totp/x");
  dialog.getByRole("img", { name: "QR code for the authenticator app" });
  const code = dialog.getByLabelText("Code", { exact: false, selector: "input" });
  expect(code.getAttribute("inputmode")).toBe("numeric");
  type(code, "000000");
  fireEvent.click(dialog.getByRole("button", { name: "Turn on" }));
  await dialog.findByText("Is wrong.");
  type(code, "123456");
  fireEvent.click(dialog.getByRole("button", { name: "Turn on" }));

  await dialog.findByText(/aaaa-bbbb\s+cccc-dddd/);
  await factor.findByText(/10 recovery codes left/); // and they are still there
  dialog.getByText(/aaaa-bbbb/);
  fireEvent.click(dialog.getByRole("button", { name: "I have them" }));
  await vi.waitFor(() => expect(screen.queryByText(/aaaa-bbbb/)).toBeNull());
});

it("turns it off by a code", async () => {
  shown(true);
  const factor = within(await section("Second factor"));
  fireEvent.click(await factor.findByRole("button", { name: "Turn off" }));
  const dialog = await inDialog();
  const code = await dialog.findByLabelText("Code", { exact: false, selector: "input" });
  type(code, "000000");
  fireEvent.click(dialog.getByRole("button", { name: "Turn off" }));
  await dialog.findByText("Is wrong.");
  type(code, "123456");
  fireEvent.click(dialog.getByRole("button", { name: "Turn off" }));
  await factor.findByText(/Off: the password alone/);
});

it("lists sessions and ends another than this one", async () => {
  const log = shown();
  const sessions = within(await section("Sessions"));
  const own = (await sessions.findByText("10.0.0.7")).closest("tr");
  expect(own?.textContent).toMatch(/^Firefox on Linux.*this browser$/);
  expect(own?.querySelector("button")).toBeNull();
  const name = "End the session of Firefox on Linux from 10.0.0.9";
  fireEvent.click(sessions.getByRole("button", { name }));
  fireEvent.click(await (await inDialog()).findByRole("button", { name: "End" }));
  await vi.waitFor(() => expect(sessions.queryByText("10.0.0.9")).toBeNull());
  expect(log).toContain("DELETE /auth/sessions/two");
});

it("lists the security log in words, page by page", async () => {
  const log = shown();
  const events = within(await section("Security log"));
  expect((await events.findByText("Failed to sign in")).closest("tr")?.textContent).toMatch(
    /ann@example\.org10\.0\.0\.7/,
  );
  expect(events.getByText("Created an API key").textContent).toMatch(/key_1/);
  fireEvent.click(events.getByRole("button", { name: "Next" }));
  await vi.waitFor(() => expect(log).toContain("GET /auth/security-log?offset=20&limit=20"));
});

it("has words for all that the security log tells of", () => {
  const told = /^SECURITY = \(([^)]*)\)/m.exec(domain)?.[1]?.match(/[a-z]+\.[a-z_]+/g);
  expect(Object.keys(ACTION_LABELS).sort()).toEqual(told?.sort());
});

it.each([
  [FIREFOX, "Firefox on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Version/18.0 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  [null, "Unknown browser"],
])("calls %s what people do", (agent, name) => {
  expect(browserName(agent)).toBe(name);
});
