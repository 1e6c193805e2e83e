import { expect, it } from "vitest";
import { isAsking } from "./enter";

const ENTER = {
  key: "Enter",
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  nativeEvent: { isComposing: false },
};

it("sends a question in words, but not while an input method is at work", () => {
  expect(isAsking(ENTER, "natural_language")).toBe(true);
  expect(isAsking({ ...ENTER, key: "a" }, "natural_language")).toBe(false);
  expect(isAsking({ ...ENTER, nativeEvent: { isComposing: true } }, "natural_language")).toBe(
    false,
  );
});

it("begins a line in SQL, and with Shift in words", () => {
  expect(isAsking(ENTER, "sql")).toBe(false);
  expect(isAsking({ ...ENTER, shiftKey: true }, "natural_language")).toBe(false);
});

it.each(["natural_language", "sql"] as const)("sends with Ctrl or ⌘ in either: %s", (type) => {
  expect(isAsking({ ...ENTER, ctrlKey: true }, type)).toBe(true);
  expect(isAsking({ ...ENTER, metaKey: true }, type)).toBe(true);
});
