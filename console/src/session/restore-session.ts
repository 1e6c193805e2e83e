/** Takes up the session that the browser's cookie is of; all its tabs share one. */
import { fetchOrProblem } from "../api/problem";
import { forgetDrafts } from "../ui/draft";
import { type Level, setCredentials } from "./credentials";

export interface Session {
  user_id: string;
  email: string;
  name: string;
  level: Level;
  csrf_token: string;
  expires_at: string;
}

export const SESSION_PATH = "/console/session";
const LAST_USER_KEY = "modelwright.last";

/** What one person typed is kept for this person only. */
export function rememberUser(userId: string): void {
  if (sessionStorage.getItem(LAST_USER_KEY) !== userId) forgetDrafts();
  sessionStorage.setItem(LAST_USER_KEY, userId);
}

export function startSession({ user_id, csrf_token, level }: Session): void {
  rememberUser(user_id);
  setCredentials({ way: "cookie", csrfToken: csrf_token, level });
}

/** Whether another tab began a new session in place of the one with this token; this tab goes on in it. */
export async function isSessionReplaced(csrfToken: string): Promise<boolean> {
  const response = await fetchOrProblem(SESSION_PATH);
  if (!response.ok) return false;
  const session: Session = await response.json();
  if (session.csrf_token === csrfToken) return false;
  if (session.user_id === sessionStorage.getItem(LAST_USER_KEY)) {
    startSession(session);
    return true;
  }
  // What one person began is not carried on as another.
  setCredentials({ way: "none", why: "Somebody else signed in in another tab." });
  return false;
}
