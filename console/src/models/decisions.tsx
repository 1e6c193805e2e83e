/** What the build decided and why. */
import { Card, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { decimal } from "../ui/words";
import { PlanCard } from "./plan-card";
import { planOf } from "./plan-of";

export function Decisions({ description }: { description: Schemas["VersionDescription"] }) {
  const plan = planOf(description);
  const { algorithm, training_time_minutes: minutes } = description.training_info;
  return (
    <Stack>
      {algorithm ? (
        <Card>
          <Text>
            <b>{algorithm}</b>
            {minutes ? `, found in ${decimal(minutes * 60, 2)} seconds of training` : ""}
          </Text>
        </Card>
      ) : null}
      {plan ? <PlanCard plan={plan} isMade /> : null}
    </Stack>
  );
}
