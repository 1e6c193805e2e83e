/** Which press of a key sends what is typed: Enter where it is a line, else with Ctrl or ⌘. */
import type { KeyboardEvent } from "react";

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey"> & {
  nativeEvent: { isComposing: boolean };
};

export function isSubmitKey(press: Press, hasLines = false): boolean {
  // Enter also takes a word that an input method offers.
  if (press.key !== "Enter" || press.nativeEvent.isComposing) return false;
  return press.ctrlKey || press.metaKey || !(hasLines || press.shiftKey);
}
