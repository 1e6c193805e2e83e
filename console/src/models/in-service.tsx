/** Which version answers at the model's address in each environment; promoting another, and back. */
import { Badge, Button, Card, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { endpointHistoryQuery, endpointsQuery } from "../api/queries";
import { Confirm } from "../ui/confirm";
import { TableHead } from "../ui/list-table";
import { Loaded } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Snippet } from "../ui/snippet";

type Endpoint = Schemas["EndpointDetail"];

/** The version in service in production. */
export function InServiceBadge({ modelName }: { modelName: string }) {
  const { data } = useQuery(endpointsQuery(modelName));
  const production = data?.endpoints.find(({ environment }) => environment === "production");
  return production ? <Badge color="teal">{production.model_version} in service</Badge> : null;
}

interface InServiceProps {
  modelName: string;
  /** The READY version that the page is of, which may be promoted. */
  shown: string | undefined;
}

export function InService({ modelName, shown }: InServiceProps) {
  const query = useQuery(endpointsQuery(modelName));
  if (query.data?.endpoints.length === 0) return null;
  return (
    <Card component="section" aria-label="In service">
      <Title order={2} fz="lg" mb="sm">
        In service
      </Title>
      <Loaded query={query} height={90}>
        {({ endpoints }) => (
          <Stack gap="lg">
            {endpoints.map((endpoint) => (
              <EndpointRow key={endpoint.environment} endpoint={endpoint} shown={shown} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

interface EndpointRowProps {
  endpoint: Endpoint;
  shown: string | undefined;
}

function EndpointRow({ endpoint, shown }: EndpointRowProps) {
  const { model_name, environment, model_version, since } = endpoint;
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="sm" component="article" aria-label={environment}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{environment}</Text>
          <Badge color="teal">{model_version}</Badge>
          <Text size="sm" c="dimmed">
            <RelativeTime at={since} />
            {byWhom(endpoint)}
          </Text>
        </Group>
        <Group gap={4}>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            History
          </Button>
          {shown && shown !== model_version ? (
            <Promote endpoint={endpoint} version={shown} />
          ) : null}
          <Rollback endpoint={endpoint} />
        </Group>
      </Group>
      <Snippet text={endpoint.endpoint} label="Copy the address" />
      {isOpen ? <History modelName={model_name} environment={environment} /> : null}
    </Stack>
  );
}

interface ChangeProps {
  endpoint: Endpoint;
}

function Promote({ endpoint, version }: ChangeProps & { version: string }) {
  const { model_name, environment, model_version } = endpoint;
  const refresh = useRefresh();
  return (
    <Confirm
      compact
      color="teal"
      label={`Promote ${version}`}
      title={`Promote ${version} to ${environment}?`}
      act={() =>
        unwrap(
          api.PATCH("/models/{model_name}/endpoints/{environment}", {
            params: { path: { model_name, environment } },
            body: { model_version: version },
          }),
        )
      }
      onDone={refresh}
    >
      Requests to the model&apos;s address are answered by {version} at once, and by {model_version}{" "}
      no more. You can roll back.
    </Confirm>
  );
}

function Rollback({ endpoint }: ChangeProps) {
  const { model_name, environment, model_version, former_version } = endpoint;
  const refresh = useRefresh();
  if (!former_version) return null;
  return (
    <Confirm
      compact
      label={`Roll back to ${former_version}`}
      title={`Roll back to ${former_version} in ${environment}?`}
      act={() =>
        unwrap(
          api.POST("/models/{model_name}/endpoints/{environment}/rollback", {
            params: { path: { model_name, environment } },
          }),
        )
      }
      onDone={refresh}
    >
      Requests to the model&apos;s address are answered by {former_version} at once, and by{" "}
      {model_version} no more.
    </Confirm>
  );
}

function useRefresh() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ["models"] });
}

function History({ modelName, environment }: { modelName: string; environment: string }) {
  const query = useQuery(endpointHistoryQuery(modelName, environment));
  return (
    <Loaded query={query} height={60}>
      {({ changes }) => (
        <Table aria-label={`History of ${environment}`}>
          <TableHead columns={["Version", "From", "Until", "Changed by"]} />
          <Table.Tbody>
            {changes.map((change) => (
              <Table.Tr key={`${change.since} ${change.model_version}`}>
                <Table.Td className="number short">{change.model_version}</Table.Td>
                <Table.Td className="short">
                  <RelativeTime at={change.since} />
                </Table.Td>
                <Table.Td className="short">
                  {change.until ? <RelativeTime at={change.until} /> : "in service"}
                </Table.Td>
                <Table.Td>{whoOf(change) || "the first version"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Loaded>
  );
}

type Changed = Pick<Endpoint, "changed_by" | "key_name">;

/** Who changed it, with the key where it was one: `ana@example.org (key deployer)`. */
const whoOf = ({ changed_by, key_name }: Changed) =>
  changed_by && key_name ? `${changed_by} (key ${key_name})` : (changed_by ?? "");

const byWhom = (changed: Changed) => (whoOf(changed) ? `, by ${whoOf(changed)}` : "");
