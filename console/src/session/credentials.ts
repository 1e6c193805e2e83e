/** How this tab calls the API: by the session's cookie with its CSRF token, or by a pasted key. */
import { useSyncExternalStore } from "react";

export type Credentials =
  | { way: "cookie"; csrfToken: string; isOperator: boolean }
  | { way: "key"; key: string; isReadOnly: boolean }
  | { way: "none"; why: string };

const STORED = "modelwright.key";
const READ_ONLY = "modelwright.read_only";
const listeners = new Set<() => void>();
let present: Credentials = { way: "none", why: "" };

export function credentials(): Credentials {
  return present;
}

export function stored(): Credentials | undefined {
  const key = sessionStorage.getItem(STORED);
  return key ? { way: "key", key, isReadOnly: READ_ONLY in sessionStorage } : undefined;
}

/** Takes new credentials; a key lives as long as this tab, and nowhere else. */
export function become(next: Credentials): void {
  sessionStorage.removeItem(STORED);
  sessionStorage.removeItem(READ_ONLY);
  if (next.way === "key") {
    sessionStorage.setItem(STORED, next.key);
    if (next.isReadOnly) sessionStorage.setItem(READ_ONLY, "");
  }
  present = next;
  for (const listener of listeners) listener();
}

export function authorise(headers: Headers): void {
  if (present.way === "key") headers.set("x-api-key", present.key);
  if (present.way === "cookie") headers.set("X-CSRF-Token", present.csrfToken);
}

export function useCredentials(): Credentials {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, credentials);
}
