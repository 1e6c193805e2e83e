/** Who did something, and by which key. */
import { Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { Name } from "../ui/name";

export function Actor({ entry }: { entry: Schemas["AuditEntry"] }) {
  return (
    <>
      <Name>{entry.actor}</Name>
      {entry.key_id ? (
        <Text size="xs" c="dimmed">
          by key {entry.key_id}
        </Text>
      ) : null}
    </>
  );
}
