/** An address that leads nowhere, or to something that is not there. */
import { IconCompass } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Problem } from "../api/problem";
import { Empty } from "../ui/empty";
import { LinkButton } from "../ui/links";
import { Loaded, useTitle } from "../ui/page";

export function NotFoundPage() {
  useTitle("Page not found");
  return (
    <Empty
      icon={IconCompass}
      title="Page not found"
      order={1}
      action={<LinkButton to="/">Go home</LinkButton>}
    >
      The address is mistyped, or what it showed was deleted.
    </Empty>
  );
}

interface LoadedOrNotFoundProps<T> {
  query: { data: T | undefined; error: Error | null };
  children: (data: T) => ReactNode;
}

/** A page of one thing, or that it is not there, or no longer. */
export function LoadedOrNotFound<T>({ query, children }: LoadedOrNotFoundProps<T>) {
  const { error } = query;
  if (error instanceof Problem && error.status === 404) return <NotFoundPage />;
  return <Loaded query={query}>{children}</Loaded>;
}
