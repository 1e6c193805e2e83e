/** Signing in and out, and who is here. */
import { api, call, taken } from "../api/client";
import { become, credentials, storedKey } from "./credentials";

export interface Session {
  user_id: string;
  email: string;
  name: string;
  level: string;
  csrf_token: string;
  expires_at: string;
}

const PATH = "/console/session";

export async function signIn(email: string, password: string): Promise<void> {
  const session = await call<Session>("POST", PATH, { email, password });
  become({ way: "cookie", csrfToken: session.csrf_token });
}

/** Takes a key after asking who it belongs to; one that does not work changes nothing. */
export async function useKey(key: string): Promise<void> {
  await taken(api.GET("/auth/user", { headers: { "x-api-key": key } }));
  become({ way: "key", key });
}

/** Finds out at start whether this tab is signed in already. */
export async function resume(): Promise<void> {
  const key = storedKey();
  if (key) {
    become({ way: "key", key });
    return;
  }
  const response = await fetch(PATH);
  if (!response.ok) return;
  const session: Session = await response.json();
  become({ way: "cookie", csrfToken: session.csrf_token });
}

export async function signOut(): Promise<void> {
  if (credentials().way === "cookie") await call("DELETE", PATH);
  become({ way: "none", why: "" });
}
