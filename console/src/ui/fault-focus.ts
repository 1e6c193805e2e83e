/** After a refusal the first field at fault is focused, so that its fault is heard and mended. */
import { useEffect, useRef } from "react";

export function useFaultFocus(error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return form;
}
