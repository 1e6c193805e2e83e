/** Where the account is signed in to the console; what is a stranger's is ended here. */
import { Badge, Card, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "../api/client";
import { consoleSessionsQuery } from "../api/queries";
import { Confirm } from "../ui/confirm";
import { ListTable } from "../ui/list-table";
import { Name } from "../ui/name";
import { Loaded } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { browserName } from "./browser-name";

type Session = Schemas["OpenConsoleSession"];

export function Sessions() {
  const query = useQuery(consoleSessionsQuery);
  return (
    <Stack component="section" aria-label="Sessions" gap="sm">
      <Title order={2} fz="lg">
        Sessions
      </Title>
      <Loaded query={query}>
        {({ sessions }) =>
          sessions.length > 0 ? (
            <SessionTable sessions={sessions} />
          ) : (
            <Card>
              <Text c="dimmed" size="sm">
                No browser is signed in with a password or by a provider.
              </Text>
            </Card>
          )
        }
      </Loaded>
    </Stack>
  );
}

function SessionTable({ sessions }: { sessions: Session[] }) {
  return (
    <ListTable
      columns={[
        "Browser",
        { title: "From", visibleFrom: "sm" },
        { title: "Signed in", visibleFrom: "md" },
        "Last used",
        { title: "Ends", visibleFrom: "md" },
      ]}
      hasActions
    >
      {sessions.map((session) => (
        <SessionRow key={session.console_session_id} session={session} />
      ))}
    </ListTable>
  );
}

function SessionRow({ session }: { session: Session }) {
  const queries = useQueryClient();
  const { console_session_id, user_agent, address } = session;
  const browser = browserName(user_agent);
  return (
    <Table.Tr>
      <Table.Td fw={600} className="long" title={user_agent ?? undefined}>
        <Name>{browser}</Name>
      </Table.Td>
      <Table.Td className="number" visibleFrom="sm">
        {address ?? "–"}
      </Table.Td>
      <Table.Td className="short" visibleFrom="md">
        <RelativeTime at={session.created_at} />
      </Table.Td>
      <Table.Td className="short">
        <RelativeTime at={session.last_seen_at} />
      </Table.Td>
      <Table.Td className="short" visibleFrom="md">
        <RelativeTime at={session.expires_at} />
      </Table.Td>
      <Table.Td ta="right">
        {session.is_current ? (
          <Badge color="gray">this browser</Badge>
        ) : (
          <Confirm
            compact
            label="End"
            title={`End the session of ${browser}${address ? ` from ${address}` : ""}?`}
            act={() =>
              unwrap(
                api.DELETE("/auth/sessions/{console_session_id}", {
                  params: { path: { console_session_id } },
                }),
              )
            }
            onDone={() => void queries.invalidateQueries({ queryKey: ["security"] })}
          >
            That browser is signed out with its next request. If it was not yours, change your
            password too.
          </Confirm>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
