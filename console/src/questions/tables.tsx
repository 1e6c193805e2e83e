/** The tables and columns that can be asked about. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";

export function Tables({ tables }: { tables: Schemas["SessionTable"][] }) {
  return (
    <Stack gap={4} component="section" aria-label="Tables">
      {tables.map(({ table, columns }) => (
        <Group key={table} gap={4}>
          <Text size="xs" fw={600} className="long">
            {table}:
          </Text>
          {columns.slice(0, 30).map((column) => (
            <Badge key={column} color="gray" size="sm" fw={450}>
              {column}
            </Badge>
          ))}
          {columns.length > 30 ? (
            <Text size="xs" c="dimmed">
              and {columns.length - 30} more
            </Text>
          ) : null}
        </Group>
      ))}
    </Stack>
  );
}
