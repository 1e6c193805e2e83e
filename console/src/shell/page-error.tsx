/** A page that did not come, and a way to ask for it again; one that the absent server owes comes by itself. */
import { Button, Stack } from "@mantine/core";
import { isOffline } from "../api/problem";
import { ProblemNote } from "../ui/problem-note";
import { useReconnect } from "./offline-banner";

export function PageError({ error }: { error: unknown }) {
  useReconnect(isOffline(error), () => location.reload());
  return (
    <Stack align="flex-start">
      <ProblemNote error={error} title="This page failed" />
      <Button variant="default" onClick={() => location.reload()}>
        Try again
      </Button>
    </Stack>
  );
}
