/** How good a model is, measured on rows it never saw. */
import { Alert, Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../../api/client";
import { inConsoleTerms } from "../../api/console-terms";
import type { Model } from "../../api/queries";
import { planOf } from "../builds/plan-of";
import type { Metrics } from "../types";
import { MetricList } from "./metric-list";
import {
  confusionSentence,
  headline,
  holdoutSentence,
  liftBasis,
  liftSentence,
  noteOf,
} from "./metrics-format";

interface MetricsCardProps {
  model: Model;
  card: Schemas["ModelCard"];
  description: Schemas["VersionDescription"];
}

export function MetricsCard({ model, card, description }: MetricsCardProps) {
  const metrics: Metrics = model.metrics;
  const { rows, held_out_rows: heldOut, target } = card.data;
  const plan = planOf(description);
  const lift = liftSentence(metrics);
  const confusion = plan ? confusionSentence(metrics, plan) : undefined;
  return (
    <Card component="section" aria-label="Performance">
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="lg">
            Performance
          </Title>
          {lift ? <Badge color="green">{lift}</Badge> : null}
        </Group>
        {description.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {inConsoleTerms(warning)}
          </Alert>
        ))}
        {plan ? <Text>{headline(metrics, plan, target)}</Text> : null}
        <MetricList metrics={metrics} note={noteOf} />
        {confusion ? <Text size="sm">{confusion}</Text> : null}
        {plan ? (
          <Text size="sm" c="dimmed">
            {holdoutSentence(rows, heldOut, plan)} {liftBasis(metrics, plan)}
          </Text>
        ) : null}
      </Stack>
    </Card>
  );
}
