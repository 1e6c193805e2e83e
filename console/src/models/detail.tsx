/** One model: how good it is, what it looks at, how to use it, by tabs. */

import { Alert, Badge, Card, Group, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazyRouteComponent, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { api, unwrap } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { Problem } from "../api/problem";
import { cardQuery, describeQuery, type Model, modelQuery, versionsQuery } from "../api/queries";
import { useCanWrite } from "../session/write-access";
import { lazyImport } from "../shell/lazy";
import { LoadedOrNotFound } from "../shell/not-found";
import { Confirm } from "../ui/confirm";
import { Loaded, Page, Placeholder } from "../ui/page";
import { Sentence } from "../ui/sentence";
import { Status } from "../ui/status";
import { PlacedTabs } from "../ui/tabs";
import { BuildProgress } from "./builds/build-progress";
import { Retrain } from "./builds/retrain";
import { DeploymentState } from "./deployment-state";
import { FeatureImportance } from "./evaluation/feature-importance";
import { MetricsCard } from "./evaluation/metrics-card";
import { InService, InServiceBadge } from "./in-service";
import { useAgreement } from "./use-agreement";
import { VersionDetail } from "./version-detail";
import { Versions } from "./versions";

const TABS = {
  overview: "Overview",
  evaluation: "Evaluation",
  playground: "Playground",
  batch: "Batch predictions",
  api: "API",
  deployments: "Deployments",
  monitoring: "Monitoring",
  details: "Details",
};

// What is seen first is there at once; the code of the rest comes behind it.
const ErrorAnalysis = lazyRouteComponent(
  lazyImport(() => import("./evaluation/error-analysis")),
  "ErrorAnalysis",
);
const Playground = lazyRouteComponent(
  lazyImport(() => import("./predictions/playground")),
  "Playground",
);
const BatchPredictions = lazyRouteComponent(
  lazyImport(() => import("./predictions/batch")),
  "BatchPredictions",
);
const ApiSnippet = lazyRouteComponent(
  lazyImport(() => import("./predictions/api-snippet")),
  "ApiSnippet",
);
const Deployments = lazyRouteComponent(
  lazyImport(() => import("./deployments")),
  "Deployments",
);
const MonitoringPage = lazyRouteComponent(
  lazyImport(() => import("../monitoring/monitoring-page")),
  "MonitoringPage",
);
const BuildDetails = lazyRouteComponent(
  lazyImport(() => import("./build-details")),
  "BuildDetails",
);

export function ModelPage() {
  const { modelName } = useParams({ from: "/models/$modelName" });
  const query = useQuery(modelQuery(modelName));
  return (
    <LoadedOrNotFound query={query}>{(model) => <ModelView model={model} />}</LoadedOrNotFound>
  );
}

function ModelView({ model }: { model: Model }) {
  const versions = useQuery(versionsQuery(model.model_name));
  useAgreement(model, versions.data?.versions);
  const { version: asked = model.model_version } = useSearch({ from: "/models/$modelName" });
  const older = useQuery({
    ...cardQuery(model.model_name, asked),
    enabled: asked !== model.model_version,
  });
  const isShowable = !isRefused(older.error);
  const version = isShowable ? asked : model.model_version;
  const isBuilding = versions.data?.versions.some(
    ({ status }) => status === "DRAFT" || status === "BUILDING",
  );
  return (
    <Page
      title={model.name}
      about={model.intent}
      above={{ to: "/models", label: "Models" }}
      badge={
        <Group gap={6}>
          <Status value={model.status} />
          <Badge color="gray">{version}</Badge>
          <InServiceBadge modelName={model.model_name} />
          <DeploymentState model={model} />
        </Group>
      }
      actions={<Retrain model={model} />}
      destructive={<Delete model={model} />}
    >
      {model.error ? (
        <Alert color="red" title="The build failed" role="alert">
          <Sentence>{inConsoleTerms(model.error)}</Sentence>
        </Alert>
      ) : null}
      {isBuilding ? <BuildProgress modelName={model.model_name} /> : null}
      {isShowable ? null : (
        <Alert color="yellow" role="status">
          Version {asked} does not exist or is not ready; this is {version}.
        </Alert>
      )}
      {version !== model.model_version ? (
        <VersionDetail key={version} model={model} version={version}>
          {(older) => <Ready model={older} />}
        </VersionDetail>
      ) : model.status === "READY" ? (
        <Ready model={model} />
      ) : (
        <>
          <InService modelName={model.model_name} shown={undefined} />
          <VersionsCard modelName={model.model_name} shown={version} />
        </>
      )}
    </Page>
  );
}

interface VersionsCardProps {
  modelName: string;
  shown: string;
}

function VersionsCard({ modelName, shown }: VersionsCardProps) {
  const query = useQuery(versionsQuery(modelName));
  return (
    <Card component="section" aria-label="Versions">
      <Loaded query={query}>
        {({ versions }) => <Versions versions={versions} shown={shown} />}
      </Loaded>
    </Card>
  );
}

/** Whether there is no such version, or it is not ready. */
const isRefused = (error: unknown) =>
  error instanceof Problem && (error.status === 404 || error.status === 409);

function Ready({ model }: { model: Model }) {
  const { batch, ...reading } = TABS;
  const tabs = useCanWrite() ? TABS : reading;
  const description = useQuery(describeQuery(model.model_name, model.model_version));
  const card = useQuery(cardQuery(model.model_name, model.model_version));
  const isDescribed = description.data !== undefined;
  useEffect(() => {
    if (!isDescribed) return;
    for (const tab of [
      Playground,
      BatchPredictions,
      ApiSnippet,
      Deployments,
      MonitoringPage,
      BuildDetails,
    ]) {
      tab.preload?.()?.catch(() => undefined);
    }
  }, [isDescribed]);
  return (
    <Loaded query={description} height={640}>
      {(described) => (
        <PlacedTabs tabs={tabs}>
          <Tabs.Panel value="overview">
            <Stack>
              <Loaded query={card} height={640}>
                {(known) => (
                  <SimpleGrid cols={{ base: 1, md: 2 }}>
                    <MetricsCard model={model} card={known} description={described} />
                    <FeatureImportance values={described.training_info.feature_importance ?? {}} />
                  </SimpleGrid>
                )}
              </Loaded>
              <InService modelName={model.model_name} shown={model.model_version} />
              <VersionsCard modelName={model.model_name} shown={model.model_version} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="evaluation">
            <Loaded query={card} height={640}>
              {(known) => (
                <Suspense fallback={<Placeholder height={280} />}>
                  <ErrorAnalysis card={known} />
                </Suspense>
              )}
            </Loaded>
          </Tabs.Panel>
          <Suspense fallback={<Placeholder height={640} />}>
            <Tabs.Panel value="playground">
              <Playground model={model} inputs={described.inputs} />
            </Tabs.Panel>
            <Tabs.Panel value="batch">
              <BatchPredictions model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="api">
              <ApiSnippet model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="deployments">
              <Stack>
                <Deployments model={model} />
                <InService modelName={model.model_name} shown={model.model_version} />
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="monitoring">
              <MonitoringPage key={model.model_version} model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="details">
              <BuildDetails model={model} description={described} />
            </Tabs.Panel>
          </Suspense>
        </PlacedTabs>
      )}
    </Loaded>
  );
}

function Delete({ model }: { model: Model }) {
  const { model_name: modelName, name: title, deployed_versions: serving } = model;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = { model_name: modelName };
  return (
    <Confirm
      label="Delete"
      title={`Delete ${title}?`}
      typed={serving.length > 0 ? modelName : undefined}
      act={() => unwrap(api.DELETE("/models/{model_name}", { params: { path } }))}
      onDone={() => {
        void navigate({ to: "/models" });
        queries.removeQueries({ queryKey: ["models", modelName] });
        void queries.invalidateQueries({ queryKey: ["models"] });
      }}
    >
      <Stack gap="xs" component="span">
        <Text span>
          {serving.length > 0
            ? `It is in service: ${serving.join(", ")} answers requests now. `
            : ""}
          Its deployments end, and its address stops answering. The model and all its versions go to
          the trash, from where they can be restored for a while.
        </Text>
      </Stack>
    </Confirm>
  );
}
