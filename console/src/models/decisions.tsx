/** What the build decided and why, and the model to take away. */
import { Card, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import type { Model } from "../api/queries";
import { duration } from "../ui/words";
import { PlanCard } from "./planning/plan-card";
import { planOf } from "./planning/plan-of";
import { TakeAway } from "./take-away";

interface DecisionsProps {
  model: Model;
  description: Schemas["VersionDescription"];
}

export function Decisions({ model, description }: DecisionsProps) {
  const plan = planOf(description);
  const { algorithm, training_time_minutes: minutes } = description.training_info;
  return (
    <Stack>
      <TakeAway model={model} />
      {algorithm ? (
        <Card>
          <Text>
            <b>{algorithm}</b>
            {minutes ? `, found in ${duration(60 * minutes)} of training` : ""}
          </Text>
        </Card>
      ) : null}
      {plan ? <PlanCard plan={plan} isMade /> : null}
    </Stack>
  );
}
