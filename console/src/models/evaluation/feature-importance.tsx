/** What a model looks at, as bars. */
import { Card, Text, Title } from "@mantine/core";
import { Bars } from "../../ui/bars";
import { percent } from "../../ui/number-format";

/** Columns beyond these hardly count. */
const MAX_FEATURES_SHOWN = 12;

export function FeatureImportance({ values }: { values: Record<string, number> }) {
  const ranked = Object.entries(values)
    .filter(([, value]) => value > 0)
    .sort(([, a], [, b]) => b - a);
  const rest = ranked.length - MAX_FEATURES_SHOWN;
  return (
    <Card component="section" aria-label="Feature importance">
      <Title order={2} fz="lg" mb={4}>
        Feature importance
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        What it looks at: how much each column counts, of 100% in all
      </Text>
      <Bars
        bars={ranked.slice(0, MAX_FEATURES_SHOWN).map(([label, value]) => ({ label, value }))}
        spell={(value) => percent(value, value < 0.1 ? 1 : 0)}
      />
      {ranked.length === 0 ? (
        <Text size="sm">
          {Object.keys(values).length > 0
            ? "No single column makes its answers better."
            : "The build’s time was over before this could be measured."}
        </Text>
      ) : null}
      {rest > 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          and {rest} more that {rest === 1 ? "matters" : "matter"} less
        </Text>
      ) : null}
    </Card>
  );
}
