/** What the server is doing and has done. */
import { Button, Card, Drawer, Progress, ScrollArea, Stack, Table, Text } from "@mantine/core";
import { IconListCheck } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ingestionsQuery, isLive, type Job, jobsQuery } from "../api/queries";
import { Empty } from "../ui/empty";
import { LinkAnchor } from "../ui/links";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Name } from "../ui/name";
import { Page } from "../ui/page";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { formatTime, lasting } from "../ui/time-format";
import { Cancel } from "./cancel";
import { JobError } from "./job-error";
import { stageOf } from "./stage";
import { useJob } from "./use-job";

const NAMES: Record<string, string> = {
  processing: "File processing",
  analysis: "Analysis",
  export: "Export",
  build: "Build",
  deployment: "Deployment",
  ingestion: "Database import",
  scoring: "Batch prediction",
};
const nameOf = ({ kind }: Job) => NAMES[kind] ?? kind;

export function JobsPage() {
  const [offset, setOffset] = useOffset();
  const [opened, setOpened] = useState<Job>();
  const query = useQuery({ ...jobsQuery(offset), placeholderData: keepPreviousData });
  return (
    <Page title="Jobs" about="Reading files, building models and the like; this page follows them.">
      <PagedList query={query} onChange={setOffset} empty={<NoJobs />}>
        {({ jobs }) => <JobTable jobs={jobs} onOpen={setOpened} />}
      </PagedList>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        title={opened ? `Log: ${nameOf(opened).toLowerCase()}` : ""}
      >
        {opened ? <JobLog jobId={opened.job_id} /> : null}
      </Drawer>
    </Page>
  );
}

function NoJobs() {
  return (
    <Card>
      <Empty icon={IconListCheck} title="No jobs yet">
        Uploads and builds appear here while they run.
      </Empty>
    </Card>
  );
}

function JobTable({ jobs, onOpen }: { jobs: Job[]; onOpen: (job: Job) => void }) {
  return (
    <ListTable
      columns={[
        { title: "Job", w: "100%" },
        "Status",
        { title: "Progress", w: 180, visibleFrom: "lg" },
        { title: "Started", visibleFrom: "sm" },
      ]}
      hasActions
    >
      {jobs.map((job) => (
        <JobRow key={job.job_id} job={job} onOpen={() => onOpen(job)} />
      ))}
    </ListTable>
  );
}

function JobRow({ job, onOpen }: { job: Job; onOpen: () => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={600}>{nameOf(job)}</Text>
        <Text size="sm" c="dimmed">
          <Subject job={job} />
        </Text>
        <JobError job={job} size="sm" lineClamp={3} className="long" />
      </Table.Td>
      <Table.Td>
        <Status value={job.status} />
        {isLive(job.status) ? (
          <Text size="xs" c="dimmed" mt={2} hiddenFrom="lg" className="number">
            {job.progress}%
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td visibleFrom="lg">
        {isLive(job.status) ? (
          <>
            <Progress
              miw={140}
              value={job.progress}
              animated
              aria-label={`${nameOf(job)}, progress`}
            />
            <Text size="xs" c="dimmed" mt={2}>
              {stageOf(job)}
            </Text>
          </>
        ) : (
          <Text size="sm" c="dimmed" className="number">
            {job.started_at && job.completed_at ? lasting(job.started_at, job.completed_at) : "–"}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="short" visibleFrom="sm">
        <RelativeTime at={job.created_at} />
      </Table.Td>
      <Table.Td ta="right" className="short">
        {isLive(job.status) ? <Cancel job={job} /> : null}
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={`Log: ${nameOf(job).toLowerCase()}`}
          onClick={onOpen}
        >
          Log
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function Subject({ job }: { job: Job }) {
  if (job.model_name) {
    return (
      <LinkAnchor
        size="sm"
        className="long"
        to="/models/$modelName"
        params={{ modelName: job.model_name }}
      >
        <Name>{job.model_name}</Name> {job.model_version}
      </LinkAnchor>
    );
  }
  if (job.upload_id) {
    return (
      <LinkAnchor
        size="sm"
        lineClamp={2}
        className="long"
        to="/uploads/$uploadId"
        params={{ uploadId: job.upload_id }}
      >
        {(job.status !== "PENDING" && job.stage) || "upload"}
      </LinkAnchor>
    );
  }
  if (job.connection_id) {
    return <Ingested ingestionId={job.ingestion_id} connectionId={job.connection_id} />;
  }
  return <span className="long">{job.job_id}</span>;
}

interface IngestedProps {
  ingestionId: string | undefined;
  connectionId: string;
}

function Ingested({ ingestionId, connectionId }: IngestedProps) {
  const { data } = useQuery(ingestionsQuery);
  const ingestion = data?.ingestions.find(({ ingestion_id }) => ingestion_id === ingestionId);
  return (
    <LinkAnchor
      size="sm"
      lineClamp={2}
      className="long"
      to="/databases/$connectionId"
      params={{ connectionId }}
    >
      {ingestion?.dataset_name ?? "the database"}
    </LinkAnchor>
  );
}

function JobLog({ jobId }: { jobId: string }) {
  const { job, lines, isOver } = useJob(jobId);
  return (
    <Stack gap="sm">
      {job ? <Status value={job.status} /> : null}
      {job ? <JobError job={job} /> : null}
      <ScrollArea>
        <Stack gap={4} aria-live="polite">
          {lines.map((line) => (
            <Text key={line.sequence} size="sm">
              <Text span c="dimmed" size="xs" className="number" mr={8}>
                {formatTime(line.timestamp, "clock")}
              </Text>
              {line.message}
            </Text>
          ))}
        </Stack>
      </ScrollArea>
      {isOver && lines.length === 0 ? <Text c="dimmed">The log is empty.</Text> : null}
    </Stack>
  );
}
