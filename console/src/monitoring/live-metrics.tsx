/** How right a version was, by the truths that were told. */
import { Card, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client";
import { MetricList } from "../models/evaluation/metric-list";
import { formatMetrics } from "../models/evaluation/metrics-format";
import { plural } from "../ui/number-format";

/** Truths below which a share jumps about by chance. */
const FEW = 100;

export function LiveMetrics({ live }: { live: Schemas["LiveMetrics"] }) {
  const before = new Map(
    formatMetrics(live.training_metrics).map(({ name, value }) => [name, value] as const),
  );
  return (
    <Card component="section" aria-label="How right it was">
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            How right it was
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
            {plural(live.unknown_classes, "truth is", "truths are")} none of its answers and counted
            in none of these.
          </Text>
        ) : null}
      </Stack>
    </Card>
  );
}

function sentenceOf({ truths }: Schemas["LiveMetrics"]): string {
  if (truths === 0) return "Nobody has told yet what turned out. Once told, it is measured here.";
  const few = truths < FEW ? "; so few say little yet" : "";
  return `Measured on ${plural(truths, "answer")} whose truth was told${few}.`;
}
