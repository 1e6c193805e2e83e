/** A model's versions, newest first. */
import { Table, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client";
import { Moment } from "../ui/moment";
import { Status } from "../ui/status";
import { measures } from "./metrics-words";

export function Versions({ versions }: { versions: Schemas["VersionItem"][] }) {
  return (
    <>
      <Title order={2} fz="lg" mb="sm">
        Versions
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Quality</Table.Th>
            <Table.Th visibleFrom="sm">Made</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((version) => {
            const first = measures(version.metrics)[0];
            return (
              <Table.Tr key={version.version_id}>
                <Table.Td className="number">{version.model_version}</Table.Td>
                <Table.Td>
                  <Status value={version.status} />
                </Table.Td>
                <Table.Td>
                  {first ? `${first.name} ${first.value}` : null}
                  {version.error ? (
                    <Text size="sm" c="red" maw={420}>
                      {version.error}
                    </Text>
                  ) : null}
                </Table.Td>
                <Table.Td className="short" visibleFrom="sm">
                  <Moment at={version.created_at} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </>
  );
}
