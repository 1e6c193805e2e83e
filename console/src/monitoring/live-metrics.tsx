/** How right a version was, by the truths that were told. */
import { Card, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client";
import { MetricList } from "../models/evaluation/metric-list";
import { formatMetrics } from "../models/evaluation/metrics-format";
import { plural } from "../ui/number-format";

/** Outcomes below which a share jumps about by chance. */
const MIN_OUTCOMES = 100;

export function LiveMetrics({ live }: { live: Schemas["LiveMetrics"] }) {
  const before = new Map(
    formatMetrics(live.training_metrics).map(({ name, value }) => [name, value] as const),
  );
  return (
    <Card component="section" aria-label="Live accuracy">
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            Live accuracy
          </Title>
          <Text size="sm" c="dimmed">
            {sentenceOf(live)}
          </Text>
        </div>
        <MetricList
          metrics={live.metrics}
          note={({ name }) => `${before.get(name) ?? "–"} in training`}
        />
        {live.unknown_classes > 0 ? (
          <Text size="sm">
            {plural(live.unknown_classes, "outcome is", "outcomes are")} none of its classes and
            left out of these.
          </Text>
        ) : null}
      </Stack>
    </Card>
  );
}

function sentenceOf({ truths }: Schemas["LiveMetrics"]): string {
  if (truths === 0)
    return "No outcomes recorded yet. How right it was is measured here once they are.";
  const few = truths < MIN_OUTCOMES ? "; so few say little yet" : "";
  return `How right it was, measured on ${plural(truths, "recorded outcome")}${few}.`;
}
