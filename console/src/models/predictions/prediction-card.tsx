/** A prediction: the answer, how sure it is, and what made it so. */
import { Alert, Card, Stack, Text, Title } from "@mantine/core";
import { Bars } from "../../ui/bars";
import { decimal, percent } from "../../ui/number-format";
import type { Prediction } from "../types";
import { contributionsOf } from "./contributions";

const MAX_BARS = 8;

export function PredictionCard({ prediction }: { prediction: Prediction }) {
  const { result, probabilities, interval, explanation, warnings = [] } = prediction;
  const [target = "", value = null] = Object.entries(result)[0] ?? [];
  const shares = Object.entries(probabilities ?? {}).sort(([, a], [, b]) => b - a);
  const reasons = explanation ? contributionsOf(explanation, target) : undefined;
  return (
    <Card>
      <Stack gap="md">
        <div>
          <Text size="sm" c="dimmed">
            {target}
          </Text>
          <Text fz={32} fw={700} lh={1.2} className="number">
            {typeof value === "number" ? decimal(value, 5) : String(value)}
          </Text>
          {interval ? (
            <Text size="sm" c="dimmed" className="number">
              in {percent(interval.level, 0)} of such cases between {decimal(interval.low, 4)} and{" "}
              {decimal(interval.high, 4)}
            </Text>
          ) : null}
        </div>
        {warnings.length > 0 ? (
          <Alert color="yellow" title="Unlike the training data">
            {warnings.map(({ field, message }) => (
              <Text key={field} size="sm">
                <b>{field}</b>: {message}
              </Text>
            ))}
          </Alert>
        ) : null}
        {shares.length > 0 ? (
          <section aria-label="Probabilities">
            <Bars
              whole={1}
              bars={shares.slice(0, MAX_BARS).map(([label, share]) => ({ label, value: share }))}
              spell={(share) => percent(share)}
            />
          </section>
        ) : null}
        {reasons && reasons.bars.length > 0 ? (
          <section aria-label="Contributions">
            <Title order={2} fz="md" mb={2}>
              Contributions
            </Title>
            <Text size="sm" c="dimmed" mb="sm">
              {reasons.about}
            </Text>
            <Bars bars={reasons.bars.slice(0, MAX_BARS)} spell={reasons.spell} />
          </section>
        ) : null}
        <Text size="xs" c="dimmed" className="long">
          Request {prediction.request_id}
        </Text>
      </Stack>
    </Card>
  );
}
