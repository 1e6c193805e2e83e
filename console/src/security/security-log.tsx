/** Who signed in or failed to, and what became of keys and sessions. */
import { Card, Stack, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { securityLogQuery } from "../api/queries";
import { useOffset } from "../ui/list-search";
import { Name } from "../ui/name";
import { Loaded } from "../ui/page";
import { Pager } from "../ui/pager";
import { formatTime } from "../ui/time-format";
import { actionLabel } from "./action-labels";

export function SecurityLog() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...securityLogQuery(offset), placeholderData: keepPreviousData });
  return (
    <Stack component="section" aria-label="Security log" gap="sm">
      <Title order={2} fz="lg">
        Security log
      </Title>
      <Loaded query={query}>
        {({ entries, pagination }) => (
          <>
            {pagination.total > 0 ? (
              <Entries entries={entries} />
            ) : (
              <Text c="dimmed">No entries yet.</Text>
            )}
            <Pager pagination={pagination} onChange={setOffset} of="the security log" />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Entries({ entries }: { entries: Schemas["AuditEntry"][] }) {
  return (
    <Card p={0}>
      <Table horizontalSpacing="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th visibleFrom="xs">Who</Table.Th>
            <Table.Th visibleFrom="sm">From</Table.Th>
            <Table.Th>When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.entry_id}>
              <Table.Td className="long">
                {actionLabel(entry.operation)}
                {entry.operation.startsWith("keys.") ? (
                  <Text size="xs" c="dimmed">
                    {entry.resource}
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td className="long" visibleFrom="xs">
                <Name>{entry.actor}</Name>
                {entry.key_id ? (
                  <Text size="xs" c="dimmed">
                    by key {entry.key_id}
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td className="number" visibleFrom="sm">
                {entry.address}
              </Table.Td>
              <Table.Td className="number short">
                <time dateTime={entry.at}>{formatTime(entry.at)}</time>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
