/** A question that was not answered: why, and what could be asked instead. */
import { Button, Group, Stack } from "@mantine/core";
import { Problem } from "../api/problem";
import { ProblemNote } from "../ui/problem-note";
import type { Question } from "./shapes";

interface RefusedProps {
  error: Error | null;
  onAsk: (question: Question) => void;
}

export function Refused({ error, onAsk }: RefusedProps) {
  if (!(error instanceof Problem)) return <ProblemNote error={error} />;
  const suggestions = error.details.filter(({ field }) => field === "suggestion");
  const faults = error.details.filter(({ field }) => field !== "suggestion");
  const message = suggestions.length > 0 && faults[0] ? faults[0].message : error.message;
  return (
    <Stack gap="xs">
      <ProblemNote error={new Problem(message, error.status, error.code, [], error.requestId)} />
      {suggestions.length > 0 ? (
        <Group gap="xs">
          {suggestions.map(({ message: text }) => (
            <Button
              key={text}
              variant="light"
              size="xs"
              onClick={() => onAsk({ type: "natural_language", text })}
            >
              {text}
            </Button>
          ))}
        </Group>
      ) : null}
    </Stack>
  );
}
