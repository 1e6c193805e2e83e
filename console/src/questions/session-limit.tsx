/** Too many tables are open to open one more: which one to close. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { sessionsQuery } from "../api/queries";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { ago } from "../ui/time-format";

export function SessionLimit() {
  const queries = useQueryClient();
  const sessions = useQuery({ ...sessionsQuery, staleTime: 0 });
  const close = useMutation({
    mutationFn: (session_id: string) =>
      unwrap(api.DELETE("/data/sessions/{session_id}", { params: { path: { session_id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["session"] }),
  });
  return (
    <Alert color="yellow" title="Too many tables are open">
      <Text size="sm" mb="sm">
        Close one to ask this one. Its data stays, and it can be opened again.
      </Text>
      <Loaded query={sessions} height={30}>
        {(list) => (
          <Group gap="xs">
            {list.sessions
              .filter(({ status }) => status === "ready")
              .map(({ session_id, name, created_at }) => (
                <Button
                  key={session_id}
                  size="xs"
                  variant="default"
                  loading={close.isPending && close.variables === session_id}
                  onClick={() => close.mutate(session_id)}
                >
                  Close {name} ({ago(created_at)})
                </Button>
              ))}
          </Group>
        )}
      </Loaded>
      <ProblemNote error={close.error} />
    </Alert>
  );
}
