/** How good a model is, measured on rows it never saw. */
import { Alert, Badge, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client";
import type { Model } from "../api/queries";
import { plural } from "../ui/words";
import { confusionSentence, headline, liftSentence, measures } from "./metrics-words";
import { planOf } from "./plan-of";
import type { Metrics } from "./shapes";

interface MetricsCardProps {
  model: Model;
  description: Schemas["VersionDescription"];
}

export function MetricsCard({ model, description }: MetricsCardProps) {
  const metrics: Metrics = model.metrics;
  const plan = planOf(description);
  const lift = liftSentence(metrics);
  const confusion = plan ? confusionSentence(metrics, plan) : undefined;
  const rows = description.training_info.dataset_size;
  return (
    <Card component="section" aria-label="Quality">
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} fz="lg">
            Quality
          </Title>
          {lift ? <Badge color="green">{lift}</Badge> : null}
        </Group>
        {description.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {warning}
          </Alert>
        ))}
        {plan ? <Text>{headline(metrics, plan)}</Text> : null}
        <SimpleGrid cols={{ base: 2 }} spacing="sm" component="dl" m={0}>
          {measures(metrics).map(({ name, value, range, meaning }) => (
            <div key={name}>
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0} fz={22} fw={650} className="number">
                {value}
              </Text>
              <Text component="dd" m={0} size="xs" c="dimmed">
                {meaning}
                {range ? ` (likely ${range})` : ""}
              </Text>
            </div>
          ))}
        </SimpleGrid>
        {confusion ? <Text size="sm">{confusion}</Text> : null}
        {rows ? (
          <Text size="sm" c="dimmed">
            Learnt from {plural(rows, "row")}; a part was kept aside to measure with.
          </Text>
        ) : null}
      </Stack>
    </Card>
  );
}
