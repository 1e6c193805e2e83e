/** A value of a catalog with where it comes from. */
import { Box, Text } from "@mantine/core";
import { type CatalogItem, isNothing, origin, shown } from "./terms";

interface ValueProps {
  item: CatalogItem;
  names?: Record<string, string>;
  label?: string;
}

export function Value({ item, names = {}, label }: ValueProps) {
  return (
    <Box>
      {label ? (
        <Text size="xs" c="dimmed">
          {label}
        </Text>
      ) : null}
      <Text size="sm" fw={item.corrected ? 600 : undefined} className="long">
        {isNothing(item.value) ? "None" : shown(item.value, names)}
      </Text>
      {item.corrected || item.reason || !isNothing(item.value) ? (
        <Text size="xs" c="dimmed">
          {origin(item, names)}
        </Text>
      ) : null}
    </Box>
  );
}
