/** Where a model is at work, and putting it there. */
import { Badge, Button, Card, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { deploymentsQuery, type Model } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { Confirm } from "../ui/confirm";
import { plural } from "../ui/number-format";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { RelativeTime } from "../ui/relative-time";
import { Snippet } from "../ui/snippet";
import { Status } from "../ui/status";

type Deployment = Schemas["DeploymentDetail"];
const ENVIRONMENTS = ["production", "staging", "development"] as const;

export function Deployments({ model }: { model: Model }) {
  const query = useQuery(deploymentsQuery(model.model_name));
  return (
    <Stack>
      <Deploy model={model} />
      <Loaded query={query} height={60}>
        {({ deployments }) =>
          deployments.length > 0 ? (
            deployments.map((deployment) => (
              <DeploymentCard key={deployment.deployment_id} deployment={deployment} />
            ))
          ) : (
            <Text c="dimmed">Not deployed.</Text>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Deploy({ model: { model_name, model_version } }: { model: Model }) {
  const [environment, setEnvironment] = useState<(typeof ENVIRONMENTS)[number]>("production");
  const [replicas, setReplicas] = useState<number | string>(1);
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/models/{model_name}/deploy", {
          params: { path: { model_name } },
          body: { environment, replicas: Number(replicas) || 1, auto_scale: true, model_version },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["models"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <WriteAccess>
      <Card component="form" onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            A deployment serves one version from its own processes, at its own address. It also
            answers at the model's address while its version is in service; where another version is
            promoted, replicas of that one take its place.
          </Text>
          <Group align="flex-end">
            <Select
              label="Environment"
              data={ENVIRONMENTS}
              value={environment}
              onChange={(chosen) =>
                setEnvironment(ENVIRONMENTS.find((one) => one === chosen) ?? "production")
              }
              allowDeselect={false}
              w={180}
            />
            <NumberInput
              label="Maximum replicas"
              min={1}
              max={32}
              allowDecimal={false}
              value={replicas}
              onChange={setReplicas}
              w={180}
            />
            <Button type="submit" loading={start.isPending}>
              Deploy {model_version}
            </Button>
          </Group>
          <ProblemNote error={start.error} />
        </Stack>
      </Card>
    </WriteAccess>
  );
}

function DeploymentCard({ deployment }: { deployment: Deployment }) {
  const queries = useQueryClient();
  const { deployment_id, model_name, environment, status } = deployment;
  const serves = environment === "production" && status === "ACTIVE";
  return (
    <Card component="article">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="xs">
            <Text fw={600}>{deployment.environment}</Text>
            <Status value={deployment.status} />
            <Badge color="gray">{deployment.model_version}</Badge>
            <Text size="sm" c="dimmed">
              {plural(deployment.replicas, "replica")}, <RelativeTime at={deployment.created_at} />
            </Text>
          </Group>
          {deployment.status === "UNDEPLOYING" ? null : (
            <Confirm
              compact
              label="Undeploy"
              typed={serves ? model_name : undefined}
              title={`Undeploy ${deployment.model_version} from ${deployment.environment}?`}
              act={() =>
                unwrap(
                  api.DELETE("/models/{model_name}/deployments/{deployment_id}", {
                    params: { path: { model_name, deployment_id } },
                  }),
                )
              }
              onDone={() => void queries.invalidateQueries({ queryKey: ["models"] })}
            >
              Requests in flight are answered; then its address stops answering.
            </Confirm>
          )}
        </Group>
        {deployment.error ? (
          <Text size="sm" c="red">
            {inConsoleTerms(deployment.error)}
          </Text>
        ) : null}
        <Snippet text={deployment.endpoint} label="Copy the address" />
      </Stack>
    </Card>
  );
}
