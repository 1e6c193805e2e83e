/** Whether the server works, and which of its parts does not. */
import { Card, Group, Text } from "@mantine/core";
import type { Health as State } from "../api/queries";
import { Status } from "../ui/status";

export function Health({ health }: { health: State }) {
  return (
    <Card component="section" aria-label="Health" py="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>Server</Text>
          <Status value={health.status} />
          <Text size="sm" c="dimmed">
            version {health.version}
          </Text>
        </Group>
        {Object.entries(health.checks)
          .filter(([, { status }]) => status !== "ok")
          .map(([part, { status, message }]) => (
            <Text key={part} size="sm" c="red">
              {part}: {message ?? status}
            </Text>
          ))}
      </Group>
    </Card>
  );
}
