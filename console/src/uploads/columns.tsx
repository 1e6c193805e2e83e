/** What each column of a file holds. */
import { Badge, Table, Text } from "@mantine/core";
import type { Schemas } from "../api/client";

const COLOURS = {
  string: "gray",
  integer: "blue",
  float: "blue",
  boolean: "grape",
  date: "orange",
} as const;

export function Columns({ columns }: { columns: Schemas["ColumnInfo"][] }) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Column</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th>Gaps</Table.Th>
          <Table.Th visibleFrom="xs">Values</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((column) => (
          <Table.Tr key={column.name}>
            <Table.Td fw={550} className="long">
              {column.name}
            </Table.Td>
            <Table.Td>
              <TypeBadge type={column.type} />
            </Table.Td>
            <Table.Td>
              <Text size="sm" c={column.nullable ? undefined : "dimmed"}>
                {column.nullable ? "has gaps" : "none"}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="xs">
              <Text size="sm" c={column.unique ? undefined : "dimmed"}>
                {column.unique ? "all different" : "repeat"}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function TypeBadge({ type }: { type: Schemas["ColumnInfo"]["type"] }) {
  return <Badge color={COLOURS[type]}>{type}</Badge>;
}
