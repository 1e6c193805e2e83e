/** What went wrong, in the API's own words. */
import { Alert, List, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { inConsoleTerms } from "../api/console-terms";
import { messageOf, Problem } from "../api/problem";
import { Sentence } from "./sentence";

export function ProblemNote({ error, title }: { error: unknown; title?: string }) {
  if (!error) return null;
  const problem = error instanceof Problem ? error : undefined;
  const details = problem && problem.details.length > 1 ? problem.details : [];
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
      <Sentence>{messageOf(error)}</Sentence>
      {details.length > 0 && (
        <List size="sm" mt="xs">
          {details.map((detail) => (
            <List.Item key={detail.field}>
              {detail.field}: <Sentence>{inConsoleTerms(detail.message)}</Sentence>
            </List.Item>
          ))}
        </List>
      )}
      {problem && problem.status >= 500 && problem.requestId ? (
        <Text size="xs" c="dimmed" mt="xs">
          Request {problem.requestId}
        </Text>
      ) : null}
    </Alert>
  );
}
