/** How this tab calls the API: by the session's cookie with its CSRF token, or by a pasted key. */
import { useSyncExternalStore } from "react";

export type Credentials =
  | { way: "cookie"; csrfToken: string; isOperator: boolean }
  | { way: "key"; key: string }
  | { way: "none"; why: string };

const STORED = "modelwright.key";
const listeners = new Set<() => void>();
let present: Credentials = { way: "none", why: "" };

export function credentials(): Credentials {
  return present;
}

export function storedKey(): string | null {
  return sessionStorage.getItem(STORED);
}

/** Takes new credentials; a key lives as long as this tab, and nowhere else. */
export function become(next: Credentials): void {
  if (next.way === "key") sessionStorage.setItem(STORED, next.key);
  else sessionStorage.removeItem(STORED);
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
