/** Which columns point to rows of other tables, and how many rows point nowhere. */
import { Card, Table, Text, Title } from "@mantine/core";
import { Name } from "../ui/name";
import { whole } from "../ui/number-format";
import type { Catalog } from "./terms";

export function Relationships({ catalog: { relationships } }: { catalog: Catalog }) {
  if (relationships.length === 0) return null;
  return (
    <Card component="section" aria-label="Foreign keys">
      <Title order={2} fz="md" mb="sm">
        Foreign keys
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>References</Table.Th>
            <Table.Th visibleFrom="sm">Role</Table.Th>
            <Table.Th>Orphans</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {relationships.map(({ table, column, to_table, to_column, ...key }) => (
            <Table.Tr key={`${table}.${column} ${to_table}.${to_column}`}>
              <Table.Td className="long">
                <Name>{`${table}.${column}`}</Name>
              </Table.Td>
              <Table.Td className="long">
                <Name>{`${to_table}.${to_column}`}</Name>
                <Text size="xs" c="dimmed">
                  {key.corrected ? "Corrected" : `Inferred: ${key.reason}`}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{key.role || "–"}</Table.Td>
              <Table.Td className="number">
                {key.orphans === null ? "not counted" : whole(key.orphans)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs">
        Orphans are rows whose value names no row of the other table.
      </Text>
    </Card>
  );
}
