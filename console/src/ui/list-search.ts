/** Where a list begins and what it is searched for, kept in the address: whoever comes back to it finds the page that was left. */
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

export interface ListSearch {
  from?: number;
  find?: string;
}

/** Takes the place in a list, and what it is searched for, out of an address. */
export function listSearch({ from, find }: Record<string, unknown>): ListSearch {
  return {
    ...(Number.isInteger(from) && Number(from) > 0 ? { from: Number(from) } : {}),
    ...(typeof find === "string" && find ? { find } : {}),
  };
}

export function useOffset(): [number, (offset: number) => void] {
  const { from = 0 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (offset: number) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, from: offset || undefined }),
      replace: true,
      resetScroll: false,
    });
  return [from, go];
}

const PAUSE_MS = 250;

/** What is typed to search a list, what of it counts after a pause, and how to type. */
export function useFind(): [string, string, (text: string) => void] {
  const { find = "" } = useSearch({ strict: false });
  const [typed, setTyped] = useState(find);
  const navigate = useNavigate();
  const put = useRef(find);
  const search = useDebouncedCallback((text: string) => {
    put.current = text;
    void navigate({
      to: ".",
      search: (before) => ({ ...before, find: text || undefined, from: undefined }),
      replace: true,
      resetScroll: false,
    });
  }, PAUSE_MS);
  useEffect(() => {
    if (find === put.current) return;
    put.current = find;
    setTyped(find);
  }, [find]);
  const type = (text: string) => {
    setTyped(text);
    search(text.trim());
  };
  return [typed, find, type];
}
