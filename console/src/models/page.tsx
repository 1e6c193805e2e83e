/** All models. */
import { Card, Group, Table, Text } from "@mantine/core";
import { IconChartHistogram } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { modelsQuery } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { Empty } from "../ui/empty";
import { LinkAnchor, LinkButton } from "../ui/links";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Name } from "../ui/name";
import { Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { DeploymentState } from "./deployment-state";

export function ModelsPage() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...modelsQuery(offset), placeholderData: keepPreviousData });
  return (
    <Page
      title="Models"
      about="A model learns from a table to fill in one of its columns."
      actions={
        <WriteAccess>
          <LinkButton to="/new-model">New model</LinkButton>
        </WriteAccess>
      }
    >
      <PagedList query={query} onChange={setOffset} empty={<NoModels />}>
        {({ models }) => <ModelTable models={models} />}
      </PagedList>
    </Page>
  );
}

function NoModels() {
  return (
    <Card>
      <Empty
        icon={IconChartHistogram}
        title="No models yet"
        action={
          <WriteAccess>
            <LinkButton to="/new-model">Build the first one</LinkButton>
          </WriteAccess>
        }
      >
        Say in a sentence what you want to predict; the rest is found out from your data.
      </Empty>
    </Card>
  );
}

function ModelTable({ models }: { models: Schemas["ModelSummary"][] }) {
  return (
    <ListTable
      columns={[
        "Model",
        "Status",
        { title: "Version", visibleFrom: "sm" },
        { title: "Updated", visibleFrom: "sm" },
      ]}
      hasLinks
    >
      {models.map((model) => (
        <Table.Tr key={model.model_name}>
          <Table.Td>
            <LinkAnchor
              className="row-link"
              to="/models/$modelName"
              params={{ modelName: model.model_name }}
            >
              <Name>{model.name}</Name>
            </LinkAnchor>
            <Text size="sm" c="dimmed" lineClamp={1} className="long" title={model.intent}>
              {model.intent}
            </Text>
          </Table.Td>
          <Table.Td>
            <Group gap={6}>
              <Status value={model.status} />
              <DeploymentState model={model} />
            </Group>
          </Table.Td>
          <Table.Td className="number" visibleFrom="sm">
            {model.model_version}
          </Table.Td>
          <Table.Td className="short" visibleFrom="sm">
            <RelativeTime at={model.updated_at} />
          </Table.Td>
        </Table.Tr>
      ))}
    </ListTable>
  );
}
