/** The accounts of this server, for operators: their tiers, and what each has used. */
import { Badge, Group, Table, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { usersQuery } from "../api/queries";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { whole } from "../ui/number-format";
import { Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Snippet } from "../ui/snippet";

const COMMANDS = `modelwright users create ana@example.org --tier pro
modelwright users set-tier ana@example.org enterprise
modelwright users set-credits ana@example.org 5000
modelwright users --help`;

export function UsersPage() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...usersQuery(offset), placeholderData: keepPreviousData });
  return (
    <Page
      title="Users"
      about="Who has an account here. The tier sets how much an account may do at the same time; credits count what it used."
    >
      <PagedList query={query} onChange={setOffset} empty={null}>
        {({ users }) => <Users users={users} />}
      </PagedList>
      <Text size="sm" c="dimmed">
        Accounts are made and changed by commands on the server’s machine, such as the ones below.
      </Text>
      <Snippet text={COMMANDS} />
    </Page>
  );
}

function Users({ users }: { users: Schemas["Account"][] }) {
  return (
    <ListTable
      columns={[
        "E-mail",
        "Tier",
        { title: "Credits used", ta: "right" },
        { title: "Added", visibleFrom: "sm" },
      ]}
    >
      {users.map((user) => (
        <Table.Tr key={user.user_id} title={user.user_id}>
          <Table.Td className="long">
            <Group gap="xs">
              <Text inherit fw={600}>
                {user.email}
              </Text>
              {user.is_operator ? <Badge color="gray">operator</Badge> : null}
              {user.is_active ? null : <Badge color="red">deactivated</Badge>}
            </Group>
          </Table.Td>
          <Table.Td>{user.tier}</Table.Td>
          <Table.Td ta="right" className="number">
            {whole(user.consumption)} of {whole(user.credits)}
          </Table.Td>
          <Table.Td className="short" visibleFrom="sm">
            <RelativeTime at={user.created_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  );
}
