/** What was used, by day and kind. */
import { Card, Group, Progress, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { usageQuery, userQuery } from "../api/queries";
import { bytes, decimal, whole } from "../ui/number-format";
import { Loaded, Page } from "../ui/page";
import { DailyChart } from "./daily-chart";
import { totalsByKind } from "./totals";

const KINDS: Record<string, string> = {
  requests: "Requests",
  predictions: "Predictions",
  build_minutes: "Build minutes",
  gigabytes_processed: "Data processed",
};

const nameOf = (kind: string) =>
  KINDS[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("_", " ");

const GIGABYTE = 1024 ** 3;

function spelt(kind: string, total: number): string {
  if (kind === "gigabytes_processed") return bytes(total * GIGABYTE);
  return Number.isInteger(total) ? whole(total) : decimal(total, 2);
}

export function UsagePage() {
  const usage = useQuery(usageQuery);
  const user = useQuery(userQuery);
  return (
    <Page title="Usage" about="What your account used in the last 30 days.">
      <Loaded query={user} height={80}>
        {(account) => <Credits account={account} />}
      </Loaded>
      <Loaded query={usage}>{(report) => <Report report={report} />}</Loaded>
    </Page>
  );
}

function Credits({ account }: { account: Schemas["User"] }) {
  const share = account.credits > 0 ? (100 * account.consumption) / account.credits : 100;
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>Credits</Text>
        <Text c="dimmed" className="number">
          {whole(account.consumption)} of {whole(account.credits)} used
        </Text>
      </Group>
      <Progress
        value={Math.min(100, share)}
        color={share > 90 ? "red" : undefined}
        aria-label="Credits used"
      />
      <Text size="xs" c="dimmed" mt="xs">
        One credit is a minute of building, 1,000 predictions or a gigabyte processed.
      </Text>
    </Card>
  );
}

function Report({ report }: { report: Schemas["UsageReport"] }) {
  const kinds = totalsByKind(report);
  if (kinds.length === 0) return <Text c="dimmed">No usage yet.</Text>;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {kinds.map(({ kind, total, days }) => (
        <Card key={kind} component="section" aria-label={nameOf(kind)}>
          <Stack gap="sm">
            <Group justify="space-between" align="baseline">
              <Title order={2} fz="md">
                {nameOf(kind)}
              </Title>
              <Text fz={22} fw={650} className="number">
                {spelt(kind, total)}
              </Text>
            </Group>
            <DailyChart days={days} spell={(quantity) => spelt(kind, quantity)} />
            <Table className="only-heard">
              <Table.Caption>{nameOf(kind)} by day</Table.Caption>
              <Table.Tbody>
                {days
                  .filter(({ quantity }) => quantity > 0)
                  .map(({ day, quantity }) => (
                    <Table.Tr key={day}>
                      <Table.Th>{day}</Table.Th>
                      <Table.Td>{spelt(kind, quantity)}</Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}
