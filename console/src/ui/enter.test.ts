import { expect, it } from "vitest";
import { isSending } from "./enter";

const ENTER = {
  key: "Enter",
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  nativeEvent: { isComposing: false },
};

it("sends a line, but not while an input method is at work", () => {
  expect(isSending(ENTER)).toBe(true);
  expect(isSending({ ...ENTER, key: "a" })).toBe(false);
  expect(isSending({ ...ENTER, nativeEvent: { isComposing: true } })).toBe(false);
});

it("begins a line with Shift, and where there are many", () => {
  expect(isSending({ ...ENTER, shiftKey: true })).toBe(false);
  expect(isSending(ENTER, true)).toBe(false);
});

it.each([false, true])("sends with Ctrl or ⌘ whether there are many lines: %s", (hasLines) => {
  expect(isSending({ ...ENTER, ctrlKey: true }, hasLines)).toBe(true);
  expect(isSending({ ...ENTER, metaKey: true }, hasLines)).toBe(true);
});
