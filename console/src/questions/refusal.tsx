/** A question that was not answered: why, and what could be asked instead. */
import { Group, Stack } from "@mantine/core";
import { Problem } from "../api/problem";
import { ProblemNote } from "../ui/problem-note";
import { QuestionButtons } from "./suggestions";
import type { Question } from "./types";

interface RefusalProps {
  error: Error | null;
  onAsk: (question: Question) => void;
}

export function Refusal({ error, onAsk }: RefusalProps) {
  if (!(error instanceof Problem)) return <ProblemNote error={error} />;
  const suggestions = error.details.filter(({ field }) => field === "suggestion");
  const faults = error.details.filter(({ field }) => field !== "suggestion");
  const message = faults[0]?.message ?? error.message;
  return (
    <Stack gap="xs">
      <ProblemNote error={new Problem(message, error.status, error.code, [], error.requestId)} />
      {suggestions.length > 0 ? (
        <Group gap="xs">
          <QuestionButtons texts={suggestions.map(({ message: text }) => text)} onAsk={onAsk} />
        </Group>
      ) : null}
    </Stack>
  );
}
