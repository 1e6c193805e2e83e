/** The API's client: typed by the server's own document, refusals thrown as `Problem`. */
import createClient, { type Middleware } from "openapi-fetch";
import { authorizeHeaders, credentials, setCredentials } from "../session/credentials";
import { isSessionReplaced } from "../session/restore-session";
import { fetchOrProblem, Problem, problemOf } from "./problem";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

const EXPIRED = new Set([
  "unauthorized",
  "invalid_key",
  "revoked_key",
  "expired_key",
  "session_expired",
]);

/** Ends this tab's session when the server no longer knows it. */
function expireSession(problem: Problem): Problem {
  const { way } = credentials();
  if (problem.status === 401 && EXPIRED.has(problem.code) && way !== "none") {
    // Without a cookie the API asks for a key, which people who sign in have none of.
    const isGone = way === "cookie" && problem.code === "unauthorized";
    setCredentials({ way: "none", why: isGone ? "Your session has ended." : problem.message });
  }
  return problem;
}

/** Sends as who is signed in; where another tab began a new session meanwhile, once more in that. */
async function fetchAuthorized(headers: Headers, send: () => Promise<Response>): Promise<Response> {
  const before = credentials();
  authorizeHeaders(headers);
  const response = await send();
  if (response.status !== 401 || before.way !== "cookie") return response;
  if (!(await isSessionReplaced(before.csrfToken))) return response;
  authorizeHeaders(headers);
  return send();
}

const errorMiddleware: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw expireSession(await problemOf(response));
  },
};

export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  fetch: (request) => fetchAuthorized(request.headers, () => fetchOrProblem(request.clone())),
});
api.use(errorMiddleware);

/** Unwraps an answer; refusals were thrown before. */
export async function unwrap<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  const { data, response } = await call;
  if (data === undefined) throw new Problem("The answer was empty.", response.status, "empty");
  return data;
}

/** Calls a path that the document types too loosely; the caller says what comes back. */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  more: RequestInit = {},
): Promise<T> {
  const response = await open(method, path, body, more);
  const answer: T = await response.json();
  return answer;
}

/** Opens a response to read from, for streams. */
export async function open(
  method: string,
  path: string,
  body?: unknown,
  more: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(more.headers);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const init: RequestInit = { ...more, method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetchAuthorized(headers, () => fetchOrProblem(path, init));
  if (!response.ok) throw expireSession(await problemOf(response));
  return response;
}
