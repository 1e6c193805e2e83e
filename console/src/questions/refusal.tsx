/** A question that was not answered: why, and what could be asked instead. */
import { Group, Stack } from "@mantine/core";
import { type Detail, Problem } from "../api/problem";
import { ProblemNote } from "../ui/problem-note";
import { Choices } from "./choices";
import { QuestionButtons, Suggested } from "./suggestions";
import type { Choice, Question } from "./types";

interface RefusalProps {
  error: Error | null;
  onAsk: (question: Question) => void;
  onChoose: (choiceId: string) => void;
  /** An answer that the question may go on from, by its question, and asking it so. */
  before?: { text: string; onFollowUp: () => void } | undefined;
}

const isChoice = (detail: Detail): detail is Detail & Choice => "choice_id" in detail;

export function Refusal({ error, onAsk, onChoose, before }: RefusalProps) {
  if (!(error instanceof Problem)) return <ProblemNote error={error} />;
  const choices = error.details.filter(isChoice);
  if (choices.length > 0) return <Choices choices={choices} onChoose={onChoose} />;
  const suggestions = error.details.filter(({ field }) => field === "suggestion");
  const faults = error.details.filter(({ field }) => field !== "suggestion");
  const message = faults[0]?.message ?? error.message;
  return (
    <Stack gap="xs">
      <ProblemNote error={new Problem(message, error.status, error.code, [], error.requestId)} />
      {before && error.status === 422 ? (
        <div>
          <Suggested onClick={before.onFollowUp}>
            Ask it as a follow-up to “{before.text}”
          </Suggested>
        </div>
      ) : null}
      {suggestions.length > 0 ? (
        <Group gap="xs">
          <QuestionButtons texts={suggestions.map(({ message: text }) => text)} onAsk={onAsk} />
        </Group>
      ) : null}
    </Stack>
  );
}
