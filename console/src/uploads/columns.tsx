/** What each column of a file holds. */
import { Badge, Stack, Table, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { usePagedList } from "../ui/paged-list";
import { Pager } from "../ui/pager";

const COLOURS = {
  string: "gray",
  integer: "blue",
  float: "blue",
  boolean: "grape",
  date: "orange",
} as const;

/** More columns at once make a page that nobody scrolls through. */
const MAX_COLUMNS_SHOWN = 100;

export function Columns({ columns }: { columns: Schemas["ColumnInfo"][] }) {
  const { part, pager } = usePagedList(columns, MAX_COLUMNS_SHOWN);
  return (
    <Stack>
      <Table>
        <TableHead
          columns={["Column", "Type", "Missing", { title: "Distinct", visibleFrom: "xs" }]}
        />
        <Table.Tbody>
          {part.map((column) => (
            <Table.Tr key={column.name}>
              <Table.Td fw={550} className="long">
                <Name>{column.name}</Name>
              </Table.Td>
              <Table.Td>
                <TypeBadge type={column.type} />
                {column.unit ? ` ${column.unit}` : null}
              </Table.Td>
              <Table.Td>
                <Text size="sm" c={column.nullable ? undefined : "dimmed"}>
                  {column.nullable ? "some missing" : "none"}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="xs">
                <Text size="sm" c={column.unique ? undefined : "dimmed"}>
                  {column.unique ? "unique" : "repeated values"}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Pager {...pager} of="columns" />
    </Stack>
  );
}

export function TypeBadge({ type }: { type: Schemas["ColumnInfo"]["type"] }) {
  return <Badge color={COLOURS[type]}>{type}</Badge>;
}
