/** What changes data, which is not offered to a key that may only read. */
import type { ReactNode } from "react";
import { useCredentials } from "./credentials";

export function useCanWrite(): boolean {
  const credentials = useCredentials();
  return credentials.way === "none" || credentials.level !== "read_only";
}

interface WriteAccessProps {
  children: ReactNode;
  /** What is there for a key that may only read. */
  instead?: ReactNode;
}

export function WriteAccess({ children, instead = null }: WriteAccessProps) {
  return useCanWrite() ? children : instead;
}
