/** Which press of a key asks: words are a line, which Enter sends; SQL has lines of its own. */
import type { KeyboardEvent } from "react";
import type { QueryType } from "./shapes";

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey"> & {
  nativeEvent: { isComposing: boolean };
};

export function isAsking(press: Press, type: QueryType): boolean {
  // Enter also takes a word that an input method offers.
  if (press.key !== "Enter" || press.nativeEvent.isComposing) return false;
  return press.ctrlKey || press.metaKey || (type !== "sql" && !press.shiftKey);
}
