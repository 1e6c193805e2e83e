/** Where a list begins, kept in the address: whoever comes back to it finds the page that was left. */
import { useNavigate, useSearch } from "@tanstack/react-router";

export interface Begun {
  from?: number;
}

/** Takes the place in a list out of an address. */
export function begun({ from }: Record<string, unknown>): Begun {
  return Number.isInteger(from) && Number(from) > 0 ? { from: Number(from) } : {};
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
