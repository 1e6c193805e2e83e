/** Databases that tables are imported from. */
import { Card, Table, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { connectionsQuery } from "../api/queries";
import { useCanWrite } from "../session/write-access";
import { Empty } from "../ui/empty";
import { LinkAnchor } from "../ui/links";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { Connect } from "./connect";
import { KINDS, type Kind, locationOf } from "./form";

type Connection = Schemas["Connection"];

export function DatabasesPage() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...connectionsQuery(offset), placeholderData: keepPreviousData });
  return (
    <Page
      title="Databases"
      about="Import tables of a database as data, once or on a schedule."
      actions={<Connect />}
    >
      <PagedList query={query} onChange={setOffset} empty={<NoneYet />}>
        {({ connections }) => <Connections connections={connections} />}
      </PagedList>
    </Page>
  );
}

function NoneYet() {
  const mayWrite = useCanWrite();
  return (
    <Card>
      <Empty icon={IconPlugConnected} title="No databases yet">
        {mayWrite
          ? "Connect PostgreSQL, MySQL, MariaDB or SQLite. Nothing is ever written there."
          : "This key may only read, so it cannot connect one."}
      </Empty>
    </Card>
  );
}

function Connections({ connections }: { connections: Connection[] }) {
  return (
    <ListTable
      columns={[
        "Database",
        { title: "Kind", visibleFrom: "sm" },
        "Status",
        { title: "Last used", visibleFrom: "sm" },
      ]}
      hasLinks
    >
      {connections.map((connection) => (
        <Table.Tr key={connection.connection_id}>
          <Table.Td>
            <LinkAnchor
              className="row-link"
              to="/databases/$connectionId"
              params={{ connectionId: connection.connection_id }}
            >
              {connection.name}
            </LinkAnchor>
            <Text size="sm" c="dimmed" className="long">
              {locationOf(connection)}
            </Text>
          </Table.Td>
          <Table.Td visibleFrom="sm">{kindOf(connection)}</Table.Td>
          <Table.Td>
            <Status value={connection.status} />
          </Table.Td>
          <Table.Td className="short" visibleFrom="sm">
            {connection.last_used_at ? <RelativeTime at={connection.last_used_at} /> : "never"}
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  );
}

export const kindOf = ({ type }: Connection) => KINDS[type as Kind]?.label ?? type;
