/** Signing in and out, and who is here. */
import { api, call, taken } from "../api/client";
import { problemOf, reach } from "../api/problem";
import { forgetDrafts } from "../ui/draft";
import { become, credentials, stored } from "./credentials";
import { enter, greet, PATH, type Session } from "./entering";

export async function signIn(email: string, password: string): Promise<void> {
  const session = await call<Session>("POST", PATH, { email, password });
  enter(session);
}

/** Changes the password; this browser goes on in a session of its own, the others are over. */
export async function changePassword(present: string, next: string): Promise<void> {
  const body = { current_password: present, password: next };
  enter(await call<Session>("PATCH", PATH, body));
}

/** Takes a key after asking who it belongs to; one that does not work changes nothing. */
export async function useKey(key: string): Promise<void> {
  const headers = { "x-api-key": key };
  const user = await taken(api.GET("/auth/user", { headers }));
  greet(user.user_id);
  become({ way: "key", key, level: user.permission_level });
}

/** Finds out at start whether this tab is signed in already; fails where the server can't tell. */
export async function resume(): Promise<void> {
  const kept = stored();
  if (kept) {
    become(kept);
    return;
  }
  const response = await reach(PATH);
  if (response.status === 401) return;
  if (!response.ok) throw await problemOf(response);
  const session: Session = await response.json();
  enter(session);
}

export async function signOut(): Promise<void> {
  if (credentials().way === "cookie") await call("DELETE", PATH);
  forgetDrafts();
  become({ way: "none", why: "" });
}
