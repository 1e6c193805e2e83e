/** One model: how good it is, what it looks at, how to use it. */
import { Alert, Badge, Box, Card, Group, SimpleGrid, Stack, Tabs, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazyRouteComponent, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { api, taken } from "../api/client";
import { Problem } from "../api/problem";
import { cardQuery, describeQuery, type Model, modelQuery, versionsQuery } from "../api/queries";
import { useMayWrite } from "../session/writing";
import { coming } from "../shell/coming";
import { Found } from "../shell/lost";
import { Confirm } from "../ui/confirm";
import { Loaded, Page, Placeholder } from "../ui/page";
import { Sentence } from "../ui/sentence";
import { Status } from "../ui/status";
import { PlacedTabs } from "../ui/tabs";
import { Older } from "./older";
import { BuildProgress } from "./planning/build-progress";
import { Retrain } from "./planning/retrain";
import { Importance } from "./quality/importance";
import { MetricsCard } from "./quality/metrics-card";
import { Versions } from "./versions";

const TABS = {
  quality: "How good it is",
  try: "Try it",
  score: "Predict a table",
  call: "Call it",
  deploy: "Deploy it",
  watch: "Watch it",
  decisions: "How it was made",
};

// What is seen first is there at once; the code of the rest comes behind it.
const Mistakes = lazyRouteComponent(
  coming(() => import("./quality/mistakes")),
  "Mistakes",
);
const Try = lazyRouteComponent(
  coming(() => import("./predicting/try")),
  "Try",
);
const Score = lazyRouteComponent(
  coming(() => import("./predicting/score")),
  "Score",
);
const CallIt = lazyRouteComponent(
  coming(() => import("./predicting/call-it")),
  "CallIt",
);
const Deployments = lazyRouteComponent(
  coming(() => import("./deployments")),
  "Deployments",
);
const Watch = lazyRouteComponent(
  coming(() => import("../monitoring/watch")),
  "Watch",
);
const Decisions = lazyRouteComponent(
  coming(() => import("./decisions")),
  "Decisions",
);

export function ModelPage() {
  const { modelName } = useParams({ from: "/models/$modelName" });
  const query = useQuery(modelQuery(modelName));
  return <Found query={query}>{(model) => <ModelView model={model} />}</Found>;
}

function ModelView({ model }: { model: Model }) {
  const versions = useQuery(versionsQuery(model.model_name));
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
          {model.deployment_status ? <Status value={model.deployment_status} /> : null}
        </Group>
      }
      actions={
        <>
          <Delete modelName={model.model_name} title={model.name} />
          <Retrain model={model} />
        </>
      }
    >
      {model.error ? (
        <Alert color="red" title="The build made no model" role="alert">
          <Sentence>{model.error}</Sentence>
        </Alert>
      ) : null}
      {isBuilding ? <BuildProgress modelName={model.model_name} /> : null}
      {isShowable ? null : (
        <Alert color="yellow" role="status">
          There is no version {asked} to look at; this is {version}.
        </Alert>
      )}
      {version !== model.model_version ? (
        <Older key={version} model={model} version={version}>
          {(older) => <Ready model={older} />}
        </Older>
      ) : model.status === "READY" ? (
        <Ready model={model} />
      ) : null}
      <Card component="section" aria-label="Versions">
        <Loaded query={versions}>
          {(list) => <Versions versions={list.versions} shown={version} />}
        </Loaded>
      </Card>
    </Page>
  );
}

/** Whether there is no such version, or it is not ready. */
const isRefused = (error: unknown) =>
  error instanceof Problem && (error.status === 404 || error.status === 409);

function Ready({ model }: { model: Model }) {
  const { score, ...reading } = TABS;
  const tabs = useMayWrite() ? TABS : reading;
  const description = useQuery(describeQuery(model.model_name, model.model_version));
  const card = useQuery(cardQuery(model.model_name, model.model_version));
  const isDescribed = description.data !== undefined;
  useEffect(() => {
    if (!isDescribed) return;
    for (const tab of [Try, Score, CallIt, Deployments, Watch, Decisions]) {
      tab.preload?.()?.catch(() => undefined);
    }
  }, [isDescribed]);
  return (
    <Loaded query={description} height={640}>
      {(described) => (
        <PlacedTabs tabs={tabs}>
          <Tabs.Panel value="quality">
            <Loaded query={card} height={640}>
              {(known) => (
                <>
                  <SimpleGrid cols={{ base: 1, md: 2 }}>
                    <MetricsCard model={model} card={known} description={described} />
                    <Importance values={described.training_info.feature_importance ?? {}} />
                  </SimpleGrid>
                  <Box mt="md">
                    <Suspense fallback={<Placeholder height={280} />}>
                      <Mistakes card={known} />
                    </Suspense>
                  </Box>
                </>
              )}
            </Loaded>
          </Tabs.Panel>
          <Suspense fallback={<Placeholder height={640} />}>
            <Tabs.Panel value="try">
              <Try model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="score">
              <Score model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="call">
              <CallIt model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="deploy">
              <Deployments model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="watch">
              <Watch key={model.model_version} model={model} />
            </Tabs.Panel>
            <Tabs.Panel value="decisions">
              <Decisions model={model} description={described} />
            </Tabs.Panel>
          </Suspense>
        </PlacedTabs>
      )}
    </Loaded>
  );
}

function Delete({ modelName, title }: { modelName: string; title: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = { model_name: modelName };
  return (
    <Confirm
      label="Delete"
      title={`Delete ${title}?`}
      act={() => taken(api.DELETE("/models/{model_name}", { params: { path } }))}
      onDone={() => {
        void navigate({ to: "/models" });
        queries.removeQueries({ queryKey: ["models", modelName] });
        void queries.invalidateQueries({ queryKey: ["models"] });
      }}
    >
      <Stack gap="xs" component="span">
        <Text span>
          All its versions and deployments go with it, and its address stops answering.
        </Text>
      </Stack>
    </Confirm>
  );
}
