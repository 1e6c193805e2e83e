import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { api, call } from "../api/client";
import { credentials, setCredentials } from "./credentials";
import { type Session, startSession } from "./restore-session";

const sessionOf = (user_id: string, csrf_token: string): Session => ({
  user_id,
  csrf_token,
  email: "ann@example.org",
  name: "",
  level: "read_write",
  expires_at: "2026-03-02T12:00:00Z",
});
const error = { status: 401, code: "unauthorized", message: "Show a key." };

/** The server, whose cookie is of a session that another tab began. */
function server(present: Session) {
  const heard: (string | null)[] = [];
  vi.stubGlobal("fetch", async (asked: Request | string, init?: RequestInit) => {
    if (asked === "/console/session") return Response.json(present);
    const { headers } = asked instanceof Request ? asked : new Request(`http://x${asked}`, init);
    const token = headers.get("X-CSRF-Token");
    heard.push(token);
    if (token === present.csrf_token) return Response.json({ done: true });
    return Response.json({ error }, { status: 401 });
  });
  return heard;
}

beforeEach(() => startSession(sessionOf("user_1", "old")));
afterEach(() => {
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

it.each([
  [
    "a typed call",
    () => api.POST("/auth/api-keys", { body: { name: "a", permission_level: "read_only" } }),
  ],
  ["a loose call", () => call("POST", "/models/churn/plan", { intent: "Predict churn" })],
])("carries %s over into the session that another tab began", async (_, ask) => {
  const heard = server(sessionOf("user_1", "new"));
  await ask();
  expect(heard).toEqual(["old", "new"]);
  expect(credentials()).toMatchObject({ way: "cookie", csrfToken: "new" });
});

it("carries nothing over into the session of somebody else", async () => {
  const heard = server(sessionOf("user_2", "new"));
  await expect(call("DELETE", "/models/churn")).rejects.toThrow("Show a key.");
  expect(heard).toEqual(["old"]);
  expect(credentials()).toEqual({ way: "none", why: "Somebody else signed in in another tab." });
});

it("ends where the session is over in all tabs", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 401 }));
  await expect(call("GET", "/usage")).rejects.toThrow("Show a key.");
  expect(credentials()).toEqual({ way: "none", why: "Your session has ended." });
});
