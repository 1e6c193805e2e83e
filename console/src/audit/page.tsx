/** What was done on this server and by whom, for operators. */
import { Card, Code, Table, Text, TextInput } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { auditQuery } from "../api/queries";
import { Empty } from "../ui/empty";
import { useFind, useOffset } from "../ui/list-search";
import { Name } from "../ui/name";
import { Loaded, Page } from "../ui/page";
import { Pager } from "../ui/pager";
import { formatTime } from "../ui/time-format";

export function AuditPage() {
  const [typed, resource, type] = useFind();
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...auditQuery(offset, resource), placeholderData: keepPreviousData });
  return (
    <Page title="Audit log" about="What was changed on this server, by whom and from where.">
      <TextInput
        label="About"
        placeholder="An id, or a model’s name; empty for all"
        maw={420}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Loaded query={query}>
        {({ entries, pagination }) => (
          <>
            {pagination.total > 0 ? <Entries entries={entries} /> : <Nothing about={resource} />}
            <Pager pagination={pagination} onChange={setOffset} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Nothing({ about }: { about: string }) {
  return (
    <Card>
      <Empty icon={IconHistory} title="No entries">
        {about
          ? `No entry is about exactly “${about}”.`
          : "Whatever is made, changed or deleted stands here from then on."}
      </Empty>
    </Card>
  );
}

function Entries({ entries }: { entries: Schemas["AuditEntry"][] }) {
  return (
    <Card p={0}>
      <Table horizontalSpacing="lg">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
            <Table.Th visibleFrom="md">From</Table.Th>
            <Table.Th visibleFrom="sm">When</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.entry_id}>
              <Table.Td className="long">
                <Name>{entry.actor}</Name>
                {entry.key_id ? (
                  <Text size="xs" c="dimmed">
                    by key {entry.key_id}
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td className="long">
                <Code>{entry.operation}</Code>
                <Text size="sm" c="dimmed">
                  {entry.resource}
                </Text>
                <Text size="xs" c="dimmed" hiddenFrom="sm" className="number">
                  <When at={entry.at} />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="md" className="number">
                {entry.address}
              </Table.Td>
              <Table.Td className="number short" visibleFrom="sm">
                <When at={entry.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

const When = ({ at }: { at: string }) => <time dateTime={at}>{formatTime(at)}</time>;
