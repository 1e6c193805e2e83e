/** Measures of a model, a short note beneath each. */
import { SimpleGrid, Text } from "@mantine/core";
import type { Metrics } from "../shapes";
import { type Measure, measures } from "./metrics-words";

interface MeasureListProps {
  metrics: Metrics;
  note: (measure: Measure) => string;
}

export function MeasureList({ metrics, note }: MeasureListProps) {
  return (
    <SimpleGrid cols={{ base: 2 }} spacing="sm" component="dl" m={0}>
      {measures(metrics).map((measure) => (
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
