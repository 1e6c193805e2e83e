/** One database: its tables, what was imported from them, and its removal. */

import { Alert, Badge, Button, Card, Group, Stack, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { connectionQuery, tablesQuery } from "../api/queries";
import { LoadedOrNotFound } from "../shell/not-found";
import { Confirm } from "../ui/confirm";
import { PagedList, TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { plural, whole } from "../ui/number-format";
import { Page } from "../ui/page";
import { Status } from "../ui/status";
import { locationOf } from "./form";
import { Ingest } from "./ingest-form";
import { Ingestions } from "./ingestions";
import { kindOf } from "./page";

type Connection = Schemas["Connection"];

export function DatabasePage() {
  const { connectionId } = useParams({ from: "/databases/$connectionId" });
  const query = useQuery(connectionQuery(connectionId));
  return (
    <LoadedOrNotFound query={query}>
      {(connection) => <DatabaseView connection={connection} />}
    </LoadedOrNotFound>
  );
}

function DatabaseView({ connection }: { connection: Connection }) {
  return (
    <Page
      title={connection.name}
      about={`${kindOf(connection)}: ${locationOf(connection)}`}
      above={{ to: "/databases", label: "Databases" }}
      badge={<Status value={connection.status} />}
      actions={<Ingest connectionId={connection.connection_id} />}
      destructive={<RemoveConnection connection={connection} />}
    >
      {connection.error ? (
        <Alert color="red" title="The last import could not connect" role="alert">
          {inConsoleTerms(connection.error)}
        </Alert>
      ) : null}
      <Ingestions connectionId={connection.connection_id} />
      <Tables connectionId={connection.connection_id} />
    </Page>
  );
}

function Tables({ connectionId }: { connectionId: string }) {
  const [offset, setOffset] = useState(0);
  const queries = useQueryClient();
  const query = useQuery({
    ...tablesQuery(connectionId, offset),
    placeholderData: keepPreviousData,
  });
  const test = () => {
    void query.refetch().then(() => queries.invalidateQueries({ queryKey: ["connections"] }));
  };
  return (
    <Card component="section" aria-label="Tables">
      <Stack gap="sm">
        <Group justify="space-between">
          <div>
            <Title order={2} fz="lg">
              Tables
            </Title>
            {query.data && !query.error ? (
              <Text size="sm" c="dimmed" role="status">
                {plural(query.data.pagination.total, "table")}, read from the database just now
              </Text>
            ) : null}
          </div>
          <Button variant="default" loading={query.isFetching} onClick={test}>
            Test the connection
          </Button>
        </Group>
        <PagedList
          query={query.error ? { data: undefined, error: query.error } : query}
          onChange={setOffset}
          empty={<Text c="dimmed">This user sees no table there.</Text>}
        >
          {({ tables }) => <TableList connectionId={connectionId} tables={tables} />}
        </PagedList>
      </Stack>
    </Card>
  );
}

interface TableListProps {
  connectionId: string;
  tables: Schemas["DatabaseTable"][];
}

function TableList({ connectionId, tables }: TableListProps) {
  const isCounted = tables.some(({ rows }) => rows !== null);
  return (
    <Table>
      <TableHead
        columns={["Table", ...(isCounted ? [{ title: "Rows, about", ta: "right" as const }] : [])]}
        hasActions
      />
      <Table.Tbody>
        {tables.map(({ name, kind, rows }) => (
          <Table.Tr key={name}>
            <Table.Td className="long">
              <Group gap="xs">
                <Text fw={550}>
                  <Name>{name}</Name>
                </Text>
                {kind === "view" ? <Badge color="gray">view</Badge> : null}
              </Group>
            </Table.Td>
            {isCounted ? (
              <Table.Td ta="right" className="number">
                {whole(rows)}
              </Table.Td>
            ) : null}
            <Table.Td ta="right" className="short">
              <Ingest connectionId={connectionId} table={name} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function RemoveConnection({ connection: { connection_id, name } }: { connection: Connection }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <Confirm
      label="Remove"
      title={`Remove ${name}?`}
      act={() =>
        unwrap(
          api.DELETE("/database/connections/{connection_id}", {
            params: { path: { connection_id } },
          }),
        )
      }
      onDone={() => {
        void navigate({ to: "/databases" });
        queries.removeQueries({ queryKey: ["connections", connection_id] });
        void queries.invalidateQueries({ queryKey: ["connections"] });
      }}
    >
      Its address and password are removed from this server. What was imported stays, and the
      database itself is not touched.
    </Confirm>
  );
}
