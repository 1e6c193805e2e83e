/** What a build would do, or did. */
import { Alert, Card, List, Stack, Text, Title } from "@mantine/core";
import { inConsoleTerms } from "../../api/console-terms";
import { type Plan, TASKS } from "../types";
import { FeatureList, type FeatureSelection } from "./feature-list";

interface PlanCardProps {
  plan: Plan;
  isMade?: boolean;
  choosing?: FeatureSelection;
}

export function PlanCard({ plan, isMade = false, choosing }: PlanCardProps) {
  return (
    <Card component="section" aria-label="The plan">
      <Stack gap="md">
        <div>
          <Title order={2} fz="lg">
            {isMade ? "It predicts" : "It will predict"} {plan.target}
          </Title>
          <Text c="dimmed" size="sm">
            {TASKS[plan.task]}
            {plan.positive_class === null ? "" : `; “${plan.positive_class}” is the case to find`}
          </Text>
        </div>
        {plan.warnings.map((warning) => (
          <Alert key={warning} color="yellow">
            {inConsoleTerms(warning)}
          </Alert>
        ))}
        <List size="sm" spacing={4}>
          {plan.reasons.map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
        <FeatureList features={plan.features} choosing={choosing} />
        {plan.left_out.length > 0 ? (
          <div>
            <Text size="sm" fw={600} mb={6}>
              Left out
            </Text>
            <List size="sm" spacing={4}>
              {plan.left_out.map(({ column, reason }) => (
                <List.Item key={column}>
                  <b>{column}</b>: {reason}
                </List.Item>
              ))}
            </List>
          </div>
        ) : null}
      </Stack>
    </Card>
  );
}
