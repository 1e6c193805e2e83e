/** Who did something, and by which key. */
import { Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { Name } from "../ui/name";

interface ActorProps {
  entry: Schemas["AuditEntry"];
  /** The name of the key, where it is known. */
  keyName?: string | undefined;
}

export function Actor({ entry, keyName }: ActorProps) {
  return (
    <>
      <Name>{entry.actor}</Name>
      {entry.key_id ? (
        <Text size="xs" c="dimmed" title={keyName ? entry.key_id : undefined}>
          by key {keyName ? `“${keyName}”` : entry.key_id}
        </Text>
      ) : null}
    </>
  );
}
