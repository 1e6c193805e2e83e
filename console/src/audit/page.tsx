/** What was done on this server and by whom, for operators. */
import { Card, Table, Text, TextInput } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { auditQuery } from "../api/queries";
import { Empty } from "../ui/empty";
import { LinkAnchor } from "../ui/links";
import { useFind, useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Page } from "../ui/page";
import { formatTime } from "../ui/time-format";
import { Actor } from "./actor";
import { labelOf, pageOf } from "./labels";
import { useNames } from "./names";

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
      <PagedList query={query} onChange={setOffset} empty={<Nothing about={resource} />}>
        {({ entries }) => <Entries entries={entries} />}
      </PagedList>
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
  const nameOf = useNames(entries);
  return (
    <ListTable
      columns={[
        "Who",
        "What",
        { title: "From", visibleFrom: "md" },
        { title: "When", visibleFrom: "sm" },
      ]}
    >
      {entries.map((entry) => (
        <Table.Tr key={entry.entry_id}>
          <Table.Td className="long">
            <Actor entry={entry} keyName={entry.key_id ? nameOf(entry.key_id) : undefined} />
          </Table.Td>
          <Table.Td className="long">
            <Text size="sm" title={entry.operation}>
              {labelOf(entry.operation)}
            </Text>
            <About entry={entry} name={nameOf(entry.resource)} />
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
    </ListTable>
  );
}

interface AboutProps {
  entry: Schemas["AuditEntry"];
  name: string | undefined;
}

/** What an entry is about, by its name; its id is told on pointing at it. */
function About({ entry: { operation, resource }, name }: AboutProps) {
  const page = pageOf(operation, resource);
  const title = name ? resource : undefined;
  if (page) {
    return (
      <LinkAnchor size="sm" title={title} {...page}>
        {name ?? resource}
      </LinkAnchor>
    );
  }
  return (
    <Text size="sm" c="dimmed" title={title}>
      {name ?? resource}
    </Text>
  );
}

const When = ({ at }: { at: string }) => <time dateTime={at}>{formatTime(at)}</time>;
