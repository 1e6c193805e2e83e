/** A page that did not come, and a way to ask for it again. */
import { Button, Stack } from "@mantine/core";
import { ProblemNote } from "../ui/problem-note";

export function FailedPage({ error }: { error: unknown }) {
  return (
    <Stack align="flex-start">
      <ProblemNote error={error} title="This page failed" />
      <Button variant="default" onClick={() => location.reload()}>
        Try again
      </Button>
    </Stack>
  );
}
