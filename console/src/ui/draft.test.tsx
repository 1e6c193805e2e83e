import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { forgetDrafts, useDraft } from "./draft";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const shown = () => {
  const { result, unmount } = renderHook(() => useDraft("wish", "nothing"));
  return { result, unmount };
};

it("keeps what was typed when its page goes and comes again", () => {
  const first = shown();
  expect(first.result.current[0]).toBe("nothing");
  act(() => first.result.current[1]("which customers leave?"));
  first.unmount();
  const second = shown();
  expect(second.result.current[0]).toBe("which customers leave?");
  act(() => second.result.current[2]());
  expect(second.result.current[0]).toBe("nothing");
  second.unmount();
  expect(shown().result.current[0]).toBe("nothing");
});

it("forgets all drafts, and nothing else that the tab keeps", () => {
  sessionStorage.setItem("modelwright.key", "mw_1");
  const { result } = shown();
  act(() => result.current[1]("mine"));
  forgetDrafts();
  expect(shown().result.current[0]).toBe("nothing");
  expect(sessionStorage.getItem("modelwright.key")).toBe("mw_1");
});
