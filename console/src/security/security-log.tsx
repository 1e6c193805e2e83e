/** Who signed in or failed to, and what became of keys and sessions. */
import { Stack, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { securityLogQuery } from "../api/queries";
import { Actor } from "../audit/actor";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
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
      <PagedList
        query={query}
        onChange={setOffset}
        empty={<Text c="dimmed">No entries yet.</Text>}
        of="the security log"
      >
        {({ entries }) => <Entries entries={entries} />}
      </PagedList>
    </Stack>
  );
}

function Entries({ entries }: { entries: Schemas["AuditEntry"][] }) {
  return (
    <ListTable
      columns={[
        "What",
        { title: "Who", visibleFrom: "xs" },
        { title: "From", visibleFrom: "sm" },
        "When",
      ]}
    >
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
            <Actor entry={entry} />
          </Table.Td>
          <Table.Td className="number" visibleFrom="sm">
            {entry.address}
          </Table.Td>
          <Table.Td className="number short">
            <time dateTime={entry.at}>{formatTime(entry.at)}</time>
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  );
}
