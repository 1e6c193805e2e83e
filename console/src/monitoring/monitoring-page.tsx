/** A version at work: what it was asked lately, what it answered, and how right it was. */
import {
  Alert,
  Card,
  Group,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { IconActivity, IconCircleCheck, IconTrendingUp } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Model, monitoringQuery, versionsQuery } from "../api/queries";
import { Empty } from "../ui/empty";
import { LinkButton } from "../ui/links";
import { plural } from "../ui/number-format";
import { Loaded } from "../ui/page";
import { ColumnDrift, DriftBadge } from "./column-drift";
import { type Report, summaryOf } from "./copy";
import { DistributionPair, Legend } from "./distribution-pair";
import { FeedbackForm } from "./feedback-form";
import { LiveMetrics } from "./live-metrics";

const WINDOWS = [
  { value: "24", label: "Last day" },
  { value: "168", label: "Last week" },
  { value: "720", label: "Last month" },
];

export function MonitoringPage({ model }: { model: Model }) {
  const [hours, setHours] = useState("24");
  const [version, setVersion] = useState(model.model_version);
  const versions = useQuery(versionsQuery(model.model_name));
  const ready = versions.data?.versions.filter(({ status }) => status === "READY") ?? [];
  const query = useQuery({
    ...monitoringQuery(model.model_name, version, Number(hours)),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <SegmentedControl
          value={hours}
          onChange={setHours}
          data={WINDOWS}
          aria-label="How far to look back"
        />
        {ready.length > 1 ? (
          <Select
            aria-label="Version"
            w={120}
            data={ready.map(({ model_version }) => model_version)}
            value={version}
            onChange={(chosen) => setVersion(chosen ?? model.model_version)}
            allowDeselect={false}
          />
        ) : null}
      </Group>
      <Loaded query={query} height={640}>
        {(report) => (report.rows === 0 ? <NoPredictions /> : <MonitoringReport report={report} />)}
      </Loaded>
      <FeedbackForm
        key={version}
        modelName={model.model_name}
        version={version}
        answers={query.data ? classesOf(query.data) : []}
      />
    </Stack>
  );
}

function classesOf({ predictions: { kind, bins } }: Report): string[] {
  return kind === "class" ? bins : [];
}

function NoPredictions() {
  return (
    <Card>
      <Empty
        icon={IconActivity}
        title="No predictions in this period"
        action={
          <LinkButton to="." search={(before) => ({ ...before, tab: "api" })} variant="default">
            See the API call
          </LinkButton>
        }
      >
        Once it predicts single rows, by its address or its deployments, they are compared here with
        the training data.
      </Empty>
    </Card>
  );
}

function MonitoringReport({ report }: { report: Report }) {
  const { isWell, text } = summaryOf(report);
  return (
    <>
      <Alert
        color={isWell ? "teal" : "orange"}
        icon={isWell ? <IconCircleCheck aria-hidden /> : <IconTrendingUp aria-hidden />}
        role="status"
      >
        {text}
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <PredictionDrift report={report} />
        <LiveMetrics live={report.feedback} />
      </SimpleGrid>
      <ColumnDrift columns={report.columns} />
    </>
  );
}

function PredictionDrift({ report: { rows, examined, predictions } }: { report: Report }) {
  const part = examined < rows ? `; ${plural(examined, "row")} of them were looked at` : "";
  return (
    <Card component="section" aria-label="Prediction drift">
      <Stack gap="md">
        <div>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Title order={2} fz="lg">
              Prediction drift
            </Title>
            <DriftBadge of={predictions} />
          </Group>
          <Text size="sm" c="dimmed">
            What it answered: {predictions.name} in {plural(rows, "row")}
            {part}
          </Text>
        </div>
        <Legend />
        <DistributionPair of={predictions} />
      </Stack>
    </Card>
  );
}
