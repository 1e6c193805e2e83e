/** Says that the server is away, and has the page ask anew once it is back. */
import { Alert, Box } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { checkOffline, isOffline } from "../api/problem";

const POLL_MS = 2_000;

/** Does something once the server, which is away, is back. */
export function useReconnect(isAway: boolean, onReturn: () => void) {
  const back = useEffectEvent(onReturn);
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(async () => {
      if (!(await checkOffline())) back();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isAway]);
}

export function OfflineBanner() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const isAway = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () =>
      cache
        .findAll({ type: "active" })
        .some(({ state }) => isOffline(state.fetchFailureReason ?? state.error)),
  );
  useReconnect(isAway, () => void queries.refetchQueries({ type: "active" }));
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
