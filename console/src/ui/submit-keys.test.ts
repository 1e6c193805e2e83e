import { expect, it } from "vitest";
import { isSubmitKey } from "./submit-keys";

const ENTER = {
  key: "Enter",
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  nativeEvent: { isComposing: false },
};

it("sends a line, but not while an input method is at work", () => {
  expect(isSubmitKey(ENTER)).toBe(true);
  expect(isSubmitKey({ ...ENTER, key: "a" })).toBe(false);
  expect(isSubmitKey({ ...ENTER, nativeEvent: { isComposing: true } })).toBe(false);
});

it("begins a line with Shift, and where there are many", () => {
  expect(isSubmitKey({ ...ENTER, shiftKey: true })).toBe(false);
  expect(isSubmitKey(ENTER, true)).toBe(false);
});

it.each([false, true])("sends with Ctrl or ⌘ whether there are many lines: %s", (hasLines) => {
  expect(isSubmitKey({ ...ENTER, ctrlKey: true }, hasLines)).toBe(true);
  expect(isSubmitKey({ ...ENTER, metaKey: true }, hasLines)).toBe(true);
});
