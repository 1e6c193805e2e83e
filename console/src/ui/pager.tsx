/** Goes through a list page by page. */
import { Button, Group, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { whole } from "./number-format";

interface PagerProps {
  pagination: Schemas["Pagination"];
  onChange: (offset: number) => void;
  /** What is gone through, where it is not the list's own entries. */
  of?: string;
}

export function Pager({ pagination, onChange, of }: PagerProps) {
  const { total, limit, offset, has_more } = pagination;
  if (total <= limit && offset === 0) return null;
  return (
    <Group justify="space-between" component="nav" aria-label={of ? `Pages of ${of}` : "Pages"}>
      <Text size="sm" c="dimmed" className="number">
        {whole(Math.min(offset + 1, total))}–{whole(Math.min(offset + limit, total))} of{" "}
        {whole(total)} {of}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={offset === 0}
          onClick={() => onChange(Math.max(0, Math.min(offset, total) - limit))}
        >
          Previous
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!has_more}
          onClick={() => onChange(offset + limit)}
        >
          Next
        </Button>
      </Group>
    </Group>
  );
}
