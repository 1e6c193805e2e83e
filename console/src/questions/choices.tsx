/** A question that may be meant in several ways: each as a card with its first rows, to choose from. */
import { Button, Card, Collapse, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Grid } from "../ui/grid";
import { Snippet } from "../ui/snippet";
import type { Choice } from "./types";

/** So many rows of a reading are offered at the most. */
const OFFERED_ROWS = 5;

interface ChoicesProps {
  choices: Choice[];
  onChoose: (choiceId: string) => void;
}

export function Choices({ choices, onChoose }: ChoicesProps) {
  return (
    <Stack gap="sm" component="section" aria-label="What do you mean?">
      <Text fw={600}>
        {choices.length > 1
          ? "This may be meant in several ways. Which one do you mean?"
          : "It is not sure what is meant. Do you mean this?"}
      </Text>
      <SimpleGrid cols={{ base: 1, md: choices.length > 1 ? 2 : 1 }}>
        {choices.map((choice) => (
          <ChoiceCard key={choice.choice_id} choice={choice} onChoose={onChoose} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

interface ChoiceCardProps {
  choice: Choice;
  onChoose: (choiceId: string) => void;
}

function ChoiceCard({ choice, onChoose }: ChoiceCardProps) {
  const { choice_id, message, generated_sql, columns, rows } = choice;
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Card component="article">
      <Stack gap="sm">
        <Text size="sm">{message}</Text>
        <Grid
          columns={columns}
          rows={rows}
          maxHeight={220}
          isNumber={(_, index) => typeof rows[0]?.[index] === "number"}
        />
        {rows.length >= OFFERED_ROWS ? (
          <Text size="xs" c="dimmed">
            The first {OFFERED_ROWS} rows
          </Text>
        ) : null}
        <Group gap="xs">
          <Button size="compact-sm" onClick={() => onChoose(choice_id)}>
            I mean this
          </Button>
          <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? "Hide SQL" : "Show SQL"}
          </Button>
        </Group>
        <Collapse expanded={isOpen}>
          <Snippet text={generated_sql} label="Copy the SQL" />
        </Collapse>
      </Stack>
    </Card>
  );
}
