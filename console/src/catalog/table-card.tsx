/** What a table's rows are and what each of its columns means, with why. */
import {
  Badge,
  Card,
  Group,
  Select,
  SimpleGrid,
  Stack,
  Table,
  TagsInput,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState } from "react";
import { TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { plural } from "../ui/number-format";
import { usePagedList } from "../ui/paged-list";
import { Pager } from "../ui/pager";
import { ColumnForm } from "./column-form";
import { Correct } from "./correct";
import {
  AGGREGATIONS,
  type CatalogColumn,
  type CatalogTable,
  onlyTold,
  ROLES,
  shown,
  shownText,
  told,
  toldWords,
} from "./terms";
import { Value } from "./value";

/** More columns at once make a page that nobody scrolls through. */
const MAX_COLUMNS_SHOWN = 50;

interface TableProps {
  uploadId: string;
  table: CatalogTable;
}

export function TableCard({ uploadId, table }: TableProps) {
  const { part, pager } = usePagedList(table.columns, MAX_COLUMNS_SHOWN);
  return (
    <Card component="section" aria-label={table.name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md">
          <Name>{table.name}</Name>
        </Title>
        <Group gap="sm">
          <Text size="sm" c="dimmed" className="number">
            {plural(table.rows, "row")}
          </Text>
          <RowsForm uploadId={uploadId} table={table} />
        </Group>
      </Group>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <Value label="Rows are called" item={table.row_nouns} />
          <Value label="Key" item={table.key} />
          <Value label="Default date" item={table.default_date} />
          <Value label="Default filter" item={table.default_filter} />
        </SimpleGrid>
        <Table>
          <TableHead
            columns={[
              "Column",
              "Role",
              { title: "Aggregation", visibleFrom: "sm" },
              { title: "Unit", visibleFrom: "sm" },
              { title: "Synonyms", visibleFrom: "md" },
            ]}
            hasActions
          />
          <Table.Tbody>
            {part.map((column) => (
              <Table.Tr key={column.name}>
                <Table.Td className="long">
                  <Text size="sm" fw={550}>
                    <Name>{column.name}</Name>
                  </Text>
                  {column.private.value === true ? <Badge color="gray">private</Badge> : null}
                </Table.Td>
                <Table.Td>
                  <Value item={column.role} names={ROLES} />
                  {String(column.format.value ?? "").includes("%") ? (
                    <Text size="xs" c="dimmed" className="number">
                      {shown(column.format.value)}
                    </Text>
                  ) : null}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {column.additivity.value === null ? null : (
                    <Value item={column.additivity} names={AGGREGATIONS} />
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {column.unit.value ? <Value item={column.unit} /> : null}
                </Table.Td>
                <Table.Td visibleFrom="md">
                  <Synonyms column={column} />
                </Table.Td>
                <Table.Td>
                  <ColumnForm uploadId={uploadId} table={table.name} column={column} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Pager {...pager} of="columns" />
      </Stack>
    </Card>
  );
}

function Synonyms({ column }: { column: CatalogColumn }) {
  return column.synonyms.map(({ words, origin, value }) => (
    <Text key={`${words} ${value}`} size="sm">
      {words}
      {value === null || value === undefined ? null : ` (means ${value})`}
      {origin === "verified_question" ? (
        <Text span size="xs" c="dimmed">
          {" "}
          from a verified question
        </Text>
      ) : null}
    </Text>
  ));
}

function begun({ row_nouns, key, default_date, default_filter }: CatalogTable) {
  return {
    nouns: row_nouns.corrected && Array.isArray(row_nouns.value) ? row_nouns.value : [],
    key: key.corrected ? shownText(key.value) : "",
    date: default_date.corrected ? shownText(default_date.value) : "",
    filter: default_filter.corrected ? shownText(default_filter.value) : "",
  };
}

function RowsForm({ uploadId, table }: TableProps) {
  const [form, setForm] = useState(() => begun(table));
  const columns = table.columns.map(({ name }) => name);
  const patch = () => ({
    tables: {
      [table.name]: onlyTold({
        row_nouns: toldWords(form.nouns, begun(table).nouns),
        key: told(form.key, table.key),
        default_date: told(form.date, table.default_date),
        default_filter: told(form.filter, table.default_filter),
      }),
    },
  });
  return (
    <Correct
      uploadId={uploadId}
      title={`Correct ${table.name}`}
      label="Correct"
      heard={`Correct the table ${table.name}`}
      onOpen={() => setForm(begun(table))}
      patch={patch}
    >
      <TagsInput
        label="Rows are called"
        description="In the plural, the most usual word first"
        placeholder={shown(table.row_nouns.inferred)}
        value={form.nouns}
        onChange={(nouns) => setForm({ ...form, nouns })}
      />
      <Select
        label="Key"
        description="The column whose values name the rows"
        placeholder={shown(table.key.inferred)}
        searchable
        clearable
        data={columns}
        value={form.key || null}
        onChange={(key) => setForm({ ...form, key: key ?? "" })}
      />
      <Select
        label="Default date"
        description="What a period means where a question names no date"
        placeholder={shown(table.default_date.inferred)}
        searchable
        clearable
        data={columns}
        value={form.date || null}
        onChange={(date) => setForm({ ...form, date: date ?? "" })}
      />
      <TextInput
        label="Default filter"
        description="A condition in SQL that rows must meet unless a question speaks of its columns"
        placeholder="status <> 'cancelled'"
        maxLength={1000}
        value={form.filter}
        onChange={(event) => setForm({ ...form, filter: event.currentTarget.value })}
      />
    </Correct>
  );
}
