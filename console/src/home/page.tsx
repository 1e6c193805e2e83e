/** Where to begin, what goes on, and whether all is well. */
import {
  Badge,
  Card,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from "@mantine/core";
import {
  type Icon,
  IconCheck,
  IconDatabase,
  IconMessageQuestion,
  IconWand,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { healthQuery, modelsQuery, uploadsQuery } from "../api/queries";
import { DeploymentState } from "../models/deployment-state";
import { WriteAccess } from "../session/write-access";
import { LinkAnchor, LinkButton } from "../ui/links";
import { Loaded, Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { Health } from "./health";
import { Machines } from "./machines";

export function HomePage() {
  const uploads = useQuery(uploadsQuery(0, 5));
  const models = useQuery(modelsQuery(0, 5));
  const hasData = (uploads.data?.pagination.total ?? 0) > 0;
  const hasModels = (models.data?.pagination.total ?? 0) > 0;
  const hasCounted = !uploads.isPending && !models.isPending;
  return (
    <Page title="Home" about="Add data, ask it questions, and build models that predict.">
      <SimpleGrid cols={{ base: 1, md: 3 }} component="section" aria-label="What to do">
        <Step icon={IconDatabase} title="Add data" isDone={hasData}>
          <Text c="dimmed" size="sm" flex={1}>
            Drop a CSV, Excel, JSON or Parquet file. It is checked and typed for you.
          </Text>
          <WriteAccess
            instead={
              <LinkButton to="/uploads" variant="default">
                See the data
              </LinkButton>
            }
          >
            <Known isYet={hasCounted}>
              <LinkButton to="/uploads" variant={hasData ? "default" : "filled"}>
                {hasData ? "Add more data" : "Upload a table"}
              </LinkButton>
            </Known>
          </WriteAccess>
        </Step>
        <Step icon={IconMessageQuestion} title="Ask it">
          <Text c="dimmed" size="sm" flex={1}>
            “Average price by city”, “orders per month”: in words, or in SQL.
          </Text>
          <LinkButton to="/ask" variant="default">
            Ask a question
          </LinkButton>
        </Step>
        <Step icon={IconWand} title="Predict with it" isDone={hasModels}>
          <Text c="dimmed" size="sm" flex={1}>
            Say what you want to know. A model is built, measured, explained and served.
          </Text>
          <WriteAccess
            instead={
              <LinkButton to="/models" variant="default">
                See the models
              </LinkButton>
            }
          >
            <Known isYet={hasCounted}>
              <LinkButton to="/new-model" variant={hasData && !hasModels ? "filled" : "default"}>
                {hasModels ? "Build another model" : "Build a model"}
              </LinkButton>
            </Known>
          </WriteAccess>
        </Step>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Recent title="Models">
          <Loaded query={models} height={60}>
            {(list) => (
              <Lines>
                {list.models.map((model) => (
                  <ModelLine key={model.model_name} model={model} />
                ))}
              </Lines>
            )}
          </Loaded>
        </Recent>
        <Recent title="Data">
          <Loaded query={uploads} height={60}>
            {(list) => (
              <Lines>
                {list.uploads.map((upload) => (
                  <UploadLine key={upload.upload_id} upload={upload} />
                ))}
              </Lines>
            )}
          </Loaded>
        </Recent>
      </SimpleGrid>
      <HealthCard />
      <Machines />
    </Page>
  );
}

/** Says nothing of what there is until that is known. */
function Known({ isYet, children }: { isYet: boolean; children: ReactNode }) {
  return isYet ? children : <Skeleton height={36} width={140} aria-busy />;
}

interface StepProps {
  icon: Icon;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}

function Step({ icon: Sign, title, isDone = false, children }: StepProps) {
  return (
    <Card>
      <Stack h="100%" align="flex-start">
        <Group justify="space-between" w="100%">
          <ThemeIcon variant="light" size={42} radius="md">
            <Sign size={22} stroke={1.7} aria-hidden />
          </ThemeIcon>
          {isDone ? (
            <Badge color="green" leftSection={<IconCheck size={12} aria-hidden />}>
              done
            </Badge>
          ) : null}
        </Group>
        <Title order={2} fz="lg">
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

function Recent({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card component="section" aria-label={`Newest ${title.toLowerCase()}`}>
      <Title order={2} fz="md" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}

function Lines({ children }: { children: ReactNode[] }) {
  if (children.length === 0) return <Text c="dimmed">None yet.</Text>;
  return <Stack gap="sm">{children}</Stack>;
}

/** A name keeps so much that it is told; what stands beside it goes below where it is narrow. */
const NAME = "1 1 170px";

function ModelLine({ model }: { model: Schemas["ModelSummary"] }) {
  return (
    <Group justify="space-between" gap={6}>
      <LinkAnchor
        className="row-link"
        flex={NAME}
        to="/models/$modelName"
        params={{ modelName: model.model_name }}
        truncate
        title={model.name}
      >
        {model.name}
      </LinkAnchor>
      <Group gap="sm" wrap="nowrap" flex="none">
        <Text size="sm" c="dimmed" visibleFrom="xs">
          <RelativeTime at={model.created_at} />
        </Text>
        <DeploymentState model={model} />
        <Status value={model.status} />
      </Group>
    </Group>
  );
}

function UploadLine({ upload }: { upload: Schemas["Upload"] }) {
  return (
    <Group justify="space-between" gap={6}>
      <LinkAnchor
        className="row-link"
        flex={NAME}
        to="/uploads/$uploadId"
        params={{ uploadId: upload.upload_id }}
        truncate
        title={upload.name}
      >
        {upload.name}
      </LinkAnchor>
      <Group gap="sm" wrap="nowrap" flex="none">
        <Text size="sm" c="dimmed" visibleFrom="xs">
          <RelativeTime at={upload.created_at} />
        </Text>
        <Status value={upload.status} />
      </Group>
    </Group>
  );
}

function HealthCard() {
  const health = useQuery({ ...healthQuery, refetchInterval: 60_000 });
  return <Loaded query={health}>{(state) => <Health health={state} />}</Loaded>;
}
