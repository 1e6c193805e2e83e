/** Whether the server and its parts work. */
import { Card, Group, Text } from "@mantine/core";
import type { Health as State } from "../api/queries";
import { Status } from "../ui/status";
import { decimal } from "../ui/words";

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
        <Group gap="lg">
          {Object.entries(health.checks).map(([part, { status, latency_ms, message }]) => (
            <Text key={part} size="sm" c={status === "ok" ? "dimmed" : "red"} className="number">
              {part} {status === "ok" ? `${decimal(latency_ms ?? 0, 2)} ms` : (message ?? status)}
            </Text>
          ))}
        </Group>
      </Group>
    </Card>
  );
}
