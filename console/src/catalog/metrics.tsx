/** Named aggregates, inferred or defined. */
import {
  Button,
  Card,
  Group,
  Select,
  Table,
  TagsInput,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { WriteAccess } from "../session/write-access";
import { Name } from "../ui/name";
import { ProblemNote } from "../ui/problem-note";
import { Correct, useCorrect } from "./correct";
import type { Catalog } from "./terms";

type Metric = Catalog["metrics"][number];

interface MetricsProps {
  uploadId: string;
  catalog: Catalog;
}

export function Metrics({ uploadId, catalog }: MetricsProps) {
  return (
    <Card component="section" aria-label="Metrics">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md">
          Metrics
        </Title>
        <MetricForm uploadId={uploadId} catalog={catalog} />
      </Group>
      {catalog.metrics.length === 0 ? (
        <Text c="dimmed" size="sm">
          No metrics yet. A metric gives an expression a name that questions may use.
        </Text>
      ) : (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Metric</Table.Th>
              <Table.Th>Expression</Table.Th>
              <Table.Th visibleFrom="sm">Synonyms</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {catalog.metrics.map((metric) => (
              <MetricRow key={metric.name} uploadId={uploadId} metric={metric} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}

function MetricRow({ uploadId, metric }: { uploadId: string; metric: Metric }) {
  const remove = useCorrect(uploadId);
  return (
    <Table.Tr>
      <Table.Td className="long">
        <Text size="sm" fw={550}>
          <Name>{metric.name}</Name>
        </Text>
        <Text size="xs" c="dimmed">
          {metric.corrected ? "Defined" : `Inferred: ${metric.reason}`}
        </Text>
      </Table.Td>
      <Table.Td className="long">
        <Text size="sm" ff="monospace">
          {metric.expression}
        </Text>
        <Text size="xs" c="dimmed">
          of {metric.table}
          {metric.filter ? ` where ${metric.filter}` : ""}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{metric.synonyms.join(", ")}</Text>
      </Table.Td>
      <Table.Td>
        {metric.corrected ? (
          <WriteAccess>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Remove ${metric.name}`}
              loading={remove.isPending}
              onClick={() => remove.mutate({ metrics: { [metric.name]: null } })}
            >
              Remove
            </Button>
            <ProblemNote error={remove.error} />
          </WriteAccess>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}

function MetricForm({ uploadId, catalog }: MetricsProps) {
  const tables = catalog.tables.map(({ name }) => name);
  const empty = {
    name: "",
    table: tables[0] ?? "",
    expression: "",
    filter: "",
    synonyms: [] as string[],
  };
  const [form, setForm] = useState(empty);
  const { name, ...members } = form;
  return (
    <Correct
      uploadId={uploadId}
      title="New metric"
      label="New metric"
      onOpen={() => setForm(empty)}
      patch={() => ({ metrics: { [name.trim()]: members } })}
    >
      <TextInput
        label="Name"
        placeholder="revenue"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
      />
      <Select
        label="Table"
        allowDeselect={false}
        data={tables}
        value={form.table}
        onChange={(table) => setForm({ ...form, table: table ?? "" })}
      />
      <TextInput
        label="Expression"
        description="An aggregate in SQL over the table's columns"
        placeholder="sum(quantity * price)"
        required
        maxLength={1000}
        value={form.expression}
        onChange={(event) => setForm({ ...form, expression: event.currentTarget.value })}
      />
      <TextInput
        label="Filter"
        description="A condition in SQL that rows must meet"
        placeholder="status = 'paid'"
        maxLength={1000}
        value={form.filter}
        onChange={(event) => setForm({ ...form, filter: event.currentTarget.value })}
      />
      <TagsInput
        label="Synonyms"
        value={form.synonyms}
        onChange={(synonyms) => setForm({ ...form, synonyms })}
      />
    </Correct>
  );
}
