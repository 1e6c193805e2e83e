/** Measures of a model, a short note beneath each. */
import { SimpleGrid, Text } from "@mantine/core";
import type { Metrics } from "../types";
import { type FormattedMetric, formatMetrics } from "./metrics-format";

interface MetricListProps {
  metrics: Metrics;
  note: (measure: FormattedMetric) => string;
}

export function MetricList({ metrics, note }: MetricListProps) {
  return (
    <SimpleGrid cols={{ base: 2 }} spacing="sm" component="dl" m={0}>
      {formatMetrics(metrics).map((measure) => (
        <div key={measure.name}>
          <Text component="dt" size="sm" c="dimmed">
            {measure.name}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="number">
            {measure.value}
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {note(measure)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
