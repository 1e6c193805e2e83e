/** How this tab calls the API: by the session's cookie with its CSRF token, or by a pasted key. */
import { useSyncExternalStore } from "react";

export type Level = "read_only" | "read_write" | "admin";
export type Credentials =
  | { way: "cookie"; csrfToken: string; level: Level }
  | { way: "key"; key: string; level: Level }
  | { way: "none"; why: string };

const KEY_STORAGE = "modelwright.key";
const LEVEL_STORAGE = "modelwright.level";
const LEVELS: readonly Level[] = ["read_only", "read_write", "admin"];
const listeners = new Set<() => void>();
let current: Credentials = { way: "none", why: "" };

export function credentials(): Credentials {
  return current;
}

export function storedCredentials(): Credentials | undefined {
  const key = sessionStorage.getItem(KEY_STORAGE);
  const level = LEVELS.find((one) => one === sessionStorage.getItem(LEVEL_STORAGE));
  return key && level ? { way: "key", key, level } : undefined;
}

/** Takes new credentials; a key lives as long as this tab, and nowhere else. */
export function setCredentials(next: Credentials): void {
  sessionStorage.removeItem(KEY_STORAGE);
  sessionStorage.removeItem(LEVEL_STORAGE);
  if (next.way === "key") {
    sessionStorage.setItem(KEY_STORAGE, next.key);
    sessionStorage.setItem(LEVEL_STORAGE, next.level);
  }
  current = next;
  for (const listener of listeners) listener();
}

export function authorizeHeaders(headers: Headers): void {
  if (current.way === "key") headers.set("x-api-key", current.key);
  if (current.way === "cookie") headers.set("X-CSRF-Token", current.csrfToken);
}

export function useCredentials(): Credentials {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, credentials);
}
