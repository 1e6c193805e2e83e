/** What somebody types, kept as long as the tab: it outlasts other pages, a reload, an ended session. */
import { useState } from "react";

const DRAFT_PREFIX = "modelwright.draft.";

export function useDraft<T>(name: string, initial: T) {
  const key = DRAFT_PREFIX + name;
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : JSON.parse(kept);
  });
  const keep = (next: T) => {
    setValue(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const forget = () => {
    setValue(initial);
    sessionStorage.removeItem(key);
  };
  return [value, keep, forget] as const;
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
  }
}
