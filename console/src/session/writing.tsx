/** What changes data, which is not offered to a key that may only read. */
import type { ReactNode } from "react";
import { useCredentials } from "./credentials";

export function useMayWrite(): boolean {
  const credentials = useCredentials();
  return credentials.way === "none" || credentials.level !== "read_only";
}

interface WritingProps {
  children: ReactNode;
  /** What is there for a key that may only read. */
  instead?: ReactNode;
}

export function Writing({ children, instead = null }: WritingProps) {
  return useMayWrite() ? children : instead;
}
