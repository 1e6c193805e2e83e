/** Signing in and out, and who is here. */
import { api, call, unwrap } from "../api/client";
import { fetchOrProblem, problemOf } from "../api/problem";
import { forgetDrafts } from "../ui/draft";
import { credentials, setCredentials, storedCredentials } from "./credentials";
import { rememberUser, SESSION_PATH, type Session, startSession } from "./restore-session";

/** Signs in; with a code where the account has a second factor. */
export async function signIn(email: string, password: string, code = ""): Promise<void> {
  const body = { email, password, ...(code ? { code } : {}) };
  const session = await call<Session>("POST", SESSION_PATH, body);
  startSession(session);
}

/** Changes the password; this browser goes on in a session of its own, the others are over. */
export async function changePassword(present: string, next: string): Promise<void> {
  const body = { current_password: present, password: next };
  startSession(await call<Session>("PATCH", SESSION_PATH, body));
}

/** Takes a key after asking who it belongs to; one that does not work changes nothing. */
export async function signInWithKey(key: string): Promise<void> {
  const headers = { "x-api-key": key };
  const user = await unwrap(api.GET("/auth/user", { headers }));
  rememberUser(user.user_id);
  setCredentials({ way: "key", key, level: user.permission_level });
}

/** Finds out at start whether this tab is signed in already; fails where the server can't tell. */
export async function restoreSession(): Promise<void> {
  const kept = storedCredentials();
  if (kept) {
    setCredentials(kept);
    return;
  }
  const response = await fetchOrProblem(SESSION_PATH);
  if (response.status === 401) return;
  if (!response.ok) throw await problemOf(response);
  const session: Session = await response.json();
  startSession(session);
}

export async function signOut(): Promise<void> {
  if (credentials().way === "cookie") await call("DELETE", SESSION_PATH);
  forgetDrafts();
  setCredentials({ way: "none", why: "" });
}
