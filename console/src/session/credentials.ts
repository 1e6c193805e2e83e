/** How this tab calls the API: by the session's cookie with its CSRF token, or by a pasted key. */
import { useSyncExternalStore } from "react";

export type Level = "read_only" | "read_write" | "admin";
export type Credentials =
  | { way: "cookie"; csrfToken: string; level: Level }
  | { way: "key"; key: string; level: Level }
  | { way: "none"; why: string };

const STORED = "modelwright.key";
const LEVEL = "modelwright.level";
const LEVELS: readonly Level[] = ["read_only", "read_write", "admin"];
const listeners = new Set<() => void>();
let present: Credentials = { way: "none", why: "" };

export function credentials(): Credentials {
  return present;
}

export function stored(): Credentials | undefined {
  const key = sessionStorage.getItem(STORED);
  const level = LEVELS.find((one) => one === sessionStorage.getItem(LEVEL));
  return key && level ? { way: "key", key, level } : undefined;
}

/** Takes new credentials; a key lives as long as this tab, and nowhere else. */
export function become(next: Credentials): void {
  sessionStorage.removeItem(STORED);
  sessionStorage.removeItem(LEVEL);
  if (next.way === "key") {
    sessionStorage.setItem(STORED, next.key);
    sessionStorage.setItem(LEVEL, next.level);
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
