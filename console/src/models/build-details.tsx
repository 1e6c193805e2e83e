/** What the build decided and why, and the model to take away. */
import { Card, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import type { Model } from "../api/queries";
import { duration } from "../ui/time-format";
import { PlanCard } from "./builds/plan-card";
import { planOf } from "./builds/plan-of";
import { DownloadModel } from "./download";

interface BuildDetailsProps {
  model: Model;
  description: Schemas["VersionDescription"];
}

export function BuildDetails({ model, description }: BuildDetailsProps) {
  const plan = planOf(description);
  const { algorithm, training_time_minutes: minutes } = description.training_info;
  return (
    <Stack>
      <DownloadModel model={model} />
      {algorithm ? (
        <Card>
          <Text>
            <b>{algorithm}</b>
            {minutes ? `, trained in ${duration(60 * minutes)}` : ""}
          </Text>
        </Card>
      ) : null}
      {plan ? <PlanCard plan={plan} isMade /> : null}
    </Stack>
  );
}
