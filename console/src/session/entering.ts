/** Takes up the session that the browser's cookie is of; all its tabs share one. */
import { reach } from "../api/problem";
import { forgetDrafts } from "../ui/draft";
import { become, type Level } from "./credentials";

export interface Session {
  user_id: string;
  email: string;
  name: string;
  level: Level;
  csrf_token: string;
  expires_at: string;
}

export const PATH = "/console/session";
const LAST = "modelwright.last";

/** What one person typed is kept for this person only. */
export function greet(userId: string): void {
  if (sessionStorage.getItem(LAST) !== userId) forgetDrafts();
  sessionStorage.setItem(LAST, userId);
}

export function enter({ user_id, csrf_token, level }: Session): void {
  greet(user_id);
  become({ way: "cookie", csrfToken: csrf_token, level });
}

/** Whether another tab began a new session in place of the one with this token; this tab goes on in it. */
export async function isRenewed(csrfToken: string): Promise<boolean> {
  const response = await reach(PATH);
  if (!response.ok) return false;
  const session: Session = await response.json();
  if (session.csrf_token === csrfToken) return false;
  if (session.user_id === sessionStorage.getItem(LAST)) {
    enter(session);
    return true;
  }
  // What one person began is not carried on as another.
  become({ way: "none", why: "Somebody else signed in in another tab." });
  return false;
}
