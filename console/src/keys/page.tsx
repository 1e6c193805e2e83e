/** API keys: who may call from outside. */
import { Badge, Card, Table, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "../api/client";
import { keysQuery } from "../api/queries";
import { useCredentials } from "../session/credentials";
import { Confirm } from "../ui/confirm";
import { Empty } from "../ui/empty";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { formatTime } from "../ui/time-format";
import { NewKey } from "./new-key";

type Key = Schemas["KeySummary"];

const PERMISSIONS: Record<Key["permission_level"], string> = {
  read_only: "read",
  read_write: "read and write",
  admin: "administer",
};

export function KeysPage() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...keysQuery(offset), placeholderData: keepPreviousData });
  return (
    <Page
      title="API keys"
      about="A program shows its key with every request; make one for each program."
      actions={<NewKey />}
    >
      <PagedList query={query} onChange={setOffset} empty={<NoKeys />}>
        {({ keys }) => <KeyTable keys={keys} />}
      </PagedList>
    </Page>
  );
}

function NoKeys() {
  return (
    <Card>
      <Empty icon={IconKey} title="No keys yet">
        Make one to call the API from a program or the command line.
      </Empty>
    </Card>
  );
}

function KeyTable({ keys }: { keys: Key[] }) {
  return (
    <ListTable
      columns={[
        "Name",
        { title: "Key", visibleFrom: "lg" },
        { title: "Permissions", visibleFrom: "xs" },
        { title: "Last used", visibleFrom: "md" },
        "Status",
      ]}
      hasActions
    >
      {keys.map((key) => (
        <KeyRow key={key.key_id} item={key} />
      ))}
    </ListTable>
  );
}

function KeyRow({ item }: { item: Key }) {
  const queries = useQueryClient();
  const mine = useCredentials();
  const isOwn =
    mine.way === "key" &&
    mine.key.startsWith(item.key_prefix) &&
    mine.key.endsWith(item.key_suffix);
  const isExpired = item.expires_at !== null && Date.parse(item.expires_at) <= Date.now();
  return (
    <Table.Tr>
      <Table.Td fw={600} className="long" miw={140}>
        {item.name}
      </Table.Td>
      <Table.Td ff="monospace" fz="sm" className="short" visibleFrom="lg">
        {item.key_prefix}…{item.key_suffix}
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <Badge color="gray">{PERMISSIONS[item.permission_level]}</Badge>
      </Table.Td>
      <Table.Td className="short" visibleFrom="md">
        {item.last_used_at ? <RelativeTime at={item.last_used_at} /> : "never"}
      </Table.Td>
      <Table.Td>
        <Status value={item.status === "active" && isExpired ? "expired" : item.status} />
        {item.status === "active" && item.expires_at ? (
          <Text size="xs" c="dimmed">
            {isExpired ? "since" : "until"} {formatTime(item.expires_at, "date")}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td ta="right">
        {item.status === "active" ? (
          <Confirm
            compact
            label="Revoke"
            title={`Revoke ${item.name}?`}
            act={() =>
              unwrap(
                api.DELETE("/auth/api-keys/{keyId}", { params: { path: { keyId: item.key_id } } }),
              )
            }
            onDone={() => void queries.invalidateQueries({ queryKey: ["keys"] })}
          >
            Programs that use it are refused from the next request on
            {isOwn ? ", and so is this tab, which is signed in with it" : ""}. This can’t be undone.
          </Confirm>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}
