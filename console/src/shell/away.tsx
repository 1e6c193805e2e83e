/** Says that the server is away, and has the page ask anew once it is back. */
import { Alert, Box } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { isOfAway, problemOf } from "../api/problem";

const AGAIN_MS = 2_000;

export function Away() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const isAway = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () =>
      cache
        .findAll({ type: "active" })
        .some(({ state }) => isOfAway(state.fetchFailureReason ?? state.error)),
  );
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void askAgain(queries), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isAway, queries]);
  if (!isAway) return null;
  return (
    <Box pos="fixed" bottom={16} left={16} right={16} style={{ zIndex: 300 }}>
      <Alert
        role="status"
        color="yellow"
        maw={460}
        mx="auto"
        icon={<IconPlugConnectedX aria-hidden />}
        style={{ boxShadow: "var(--mantine-shadow-md)" }}
      >
        The server can’t be reached. This page goes on by itself once it is back.
      </Alert>
    </Box>
  );
}

async function askAgain(queries: QueryClient): Promise<void> {
  const isBack = await fetch("/data/health").then(
    async (response) => response.ok || !isOfAway(await problemOf(response)),
    () => false,
  );
  if (isBack) await queries.refetchQueries({ type: "active" });
}
