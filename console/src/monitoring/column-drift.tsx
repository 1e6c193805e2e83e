/** The columns of a version, those that moved first; each opens to its distribution. */
import { Accordion, Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Name } from "../ui/name";
import classes from "./column-drift.module.css";
import { byDrift, type Distribution, driftOf, NOTES } from "./copy";
import { DistributionPair, Legend } from "./distribution-pair";

const SHOWN = 12;

export function ColumnDrift({ columns }: { columns: Distribution[] }) {
  const [isWhole, setWhole] = useState(false);
  const sorted = byDrift(columns);
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN);
  const first = sorted[0];
  const opened = first?.status === "moved" ? first.name : null;
  return (
    <Card component="section" aria-label="Input drift">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} fz="lg">
              Input drift
            </Title>
            <Text size="sm" c="dimmed">
              What it is asked: each column beside the training data; open one to see its values
            </Text>
          </div>
          <Legend />
        </Group>
        <Accordion defaultValue={opened} order={3} classNames={classes}>
          {shown.map((column) => (
            <Column key={column.name} column={column} />
          ))}
        </Accordion>
        {shown.length < sorted.length ? (
          <Button variant="default" onClick={() => setWhole(true)}>
            Show the other {sorted.length - shown.length}
          </Button>
        ) : null}
      </Stack>
    </Card>
  );
}

function Column({ column }: { column: Distribution }) {
  return (
    <Accordion.Item value={column.name}>
      <Accordion.Control>
        <Group justify="space-between" wrap="nowrap" pr="sm">
          <Text fw={550} className="long">
            <Name>{column.name}</Name>
          </Text>
          <DriftBadge of={column} />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        {NOTES[column.kind] ? (
          <Text size="sm" c="dimmed" mb="sm">
            {NOTES[column.kind]}
          </Text>
        ) : null}
        <DistributionPair of={column} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

export function DriftBadge({ of }: { of: Distribution }) {
  const { word, colour } = driftOf(of);
  return (
    <Badge color={colour} flex="none">
      {word}
    </Badge>
  );
}
