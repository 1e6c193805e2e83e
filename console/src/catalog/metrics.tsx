/** Named aggregates, inferred or defined. */
import { Card, Group, Select, Table, TagsInput, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { Correct, CorrectAtOnce } from "./correct";
import type { Catalog } from "./terms";

type Metric = Catalog["metrics"][number];

interface MetricsProps {
  uploadId: string;
  catalog: Catalog;
}

export function Metrics({ uploadId, catalog }: MetricsProps) {
  const rejected = catalog.rejected_metrics ?? [];
  return (
    <Card component="section" aria-label="Metrics">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md">
          Metrics
        </Title>
        <MetricForm uploadId={uploadId} catalog={catalog} />
      </Group>
      {catalog.metrics.length + rejected.length === 0 ? (
        <Text c="dimmed" size="sm">
          No metrics yet. A metric gives an expression a name that questions may use.
        </Text>
      ) : (
        <Table>
          <TableHead
            columns={["Metric", "Expression", { title: "Synonyms", visibleFrom: "sm" }]}
            hasActions
          />
          <Table.Tbody>
            {catalog.metrics.map((metric) => (
              <MetricRow key={metric.name} uploadId={uploadId} metric={metric} />
            ))}
            {rejected.map((metric) => (
              <MetricRow
                key={`${metric.table} ${metric.name}`}
                uploadId={uploadId}
                metric={metric}
                isRejected
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}

interface MetricRowProps {
  uploadId: string;
  metric: Metric;
  isRejected?: boolean;
}

/** What can be done with a metric: a defined one goes, an inferred one is rejected and comes back. */
function deedOf({ metric, isRejected }: MetricRowProps) {
  if (isRejected) return { label: "Restore", said: null };
  return metric.corrected
    ? { label: "Remove", said: null }
    : { label: "Reject", said: "none" as const };
}

function MetricRow({ uploadId, metric, isRejected = false }: MetricRowProps) {
  const { label, said } = deedOf({ uploadId, metric, isRejected });
  return (
    <Table.Tr c={isRejected ? "dimmed" : undefined}>
      <Table.Td className="long">
        <Text size="sm" fw={550}>
          <Name>{metric.name}</Name>
        </Text>
        <Text size="xs" c="dimmed">
          {isRejected ? "Rejected; " : ""}
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
        <CorrectAtOnce
          uploadId={uploadId}
          label={label}
          heard={`${label} ${metric.name}`}
          patch={{ metrics: { [metric.name]: said } }}
        />
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
