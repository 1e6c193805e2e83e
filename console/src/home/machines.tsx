/** The machines that share the database, for operators. */
import { Card, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { machinesQuery } from "../api/queries";
import { useCredentials } from "../session/credentials";
import { TableHead } from "../ui/list-table";
import { Loaded } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";

export function Machines() {
  const credentials = useCredentials();
  const isOperator = credentials.way !== "none" && credentials.level === "admin";
  return isOperator ? <MachinesCard /> : null;
}

function MachinesCard() {
  const query = useQuery({ ...machinesQuery, refetchInterval: 30_000 });
  return (
    <Card component="section" aria-label="Machines">
      <Title order={2} fz="md" mb="sm">
        Machines
      </Title>
      <Loaded query={query} height={60}>
        {({ machines }) => (
          <Table>
            <TableHead
              columns={[
                "Name",
                "Runs",
                { title: "Room for replicas", visibleFrom: "sm" },
                { title: "Version", visibleFrom: "sm" },
                "Seen",
              ]}
            />
            <Table.Tbody>
              {machines.map((machine) => (
                <Row key={machine.machine_id} machine={machine} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Card>
  );
}

function Row({ machine }: { machine: Schemas["MachineDetail"] }) {
  return (
    <Table.Tr>
      <Table.Td title={machine.machine_id}>{machine.name}</Table.Td>
      <Table.Td>
        {machine.parts.join(", ") || "nothing"}
        {machine.silent.length > 0 ? (
          <Text span inherit c="red">
            {" "}
            (silent: {machine.silent.join(", ")})
          </Text>
        ) : null}
        {machine.is_draining ? (
          <Text span inherit c="dimmed">
            {" "}
            draining
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td visibleFrom="sm">{machine.room}</Table.Td>
      <Table.Td visibleFrom="sm">{machine.version}</Table.Td>
      <Table.Td>
        <RelativeTime at={machine.seen_at} />
      </Table.Td>
    </Table.Tr>
  );
}
