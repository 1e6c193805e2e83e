/** What was asked in this session before, to ask again. */
import { Card, Group, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { RelativeTime } from "../ui/relative-time";
import type { Question } from "./types";

interface HistoryProps {
  sessionId: string;
  onAsk: (question: Question) => void;
}

const SHOWN = 10;

export function History({ sessionId, onAsk }: HistoryProps) {
  const history = useQuery({
    queryKey: ["history", sessionId],
    queryFn: () =>
      unwrap(
        api.GET("/data/sessions/{session_id}/queries", {
          params: { path: { session_id: sessionId }, query: { limit: 50 } },
        }),
      ),
  });
  const seen = new Set<string>();
  const asked = (history.data?.queries ?? []).filter(({ query, error }) => {
    const isNew = !error && !seen.has(query);
    seen.add(query);
    return isNew;
  });
  if (asked.length === 0) return null;
  return (
    <Card component="section" aria-label="History">
      <Title order={2} fz="md" mb="xs">
        History
      </Title>
      <Stack gap={2}>
        {asked.slice(0, SHOWN).map((entry) => (
          <UnstyledButton
            key={entry.query_id}
            className="quiet-row"
            onClick={() =>
              onAsk({
                type: entry.query_type === "sql" ? "sql" : "natural_language",
                text: entry.query,
              })
            }
          >
            <Group justify="space-between" wrap="nowrap">
              <Text
                size="sm"
                truncate
                title={entry.query}
                ff={entry.query_type === "sql" ? "monospace" : undefined}
              >
                {entry.query}
              </Text>
              <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                <RelativeTime at={entry.executed_at} />
              </Text>
            </Group>
          </UnstyledButton>
        ))}
      </Stack>
    </Card>
  );
}
