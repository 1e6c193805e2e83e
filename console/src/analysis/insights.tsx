/** A closer look at an upload: asked for, followed while it is taken, shown. */
import { Alert, Button, Loader, Stack, Text } from "@mantine/core";
import { IconMicroscope } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import { analysisQuery, jobsQuery } from "../api/queries";
import { Waits } from "../jobs/waits";
import { Writing } from "../session/writing";
import { Empty } from "../ui/empty";
import { Moment } from "../ui/moment";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { Findings } from "./findings";

interface InsightsProps {
  uploadId: string;
  filename: string;
}

export function Insights({ uploadId, filename }: InsightsProps) {
  const analyses = useQuery(jobsQuery(0, 100, "analysis"));
  return (
    <Loaded query={analyses}>
      {({ jobs }) => {
        const job = jobs.find((one) => "upload_id" in one && one.upload_id === uploadId);
        if (!job) return <Unseen uploadId={uploadId} />;
        return <Seen jobId={job.job_id} uploadId={uploadId} filename={filename} />;
      }}
    </Loaded>
  );
}

function Unseen({ uploadId }: { uploadId: string }) {
  return (
    <Empty icon={IconMicroscope} title="Not looked at yet" action={<Look uploadId={uploadId} />}>
      Every column is counted, measured and drawn: what is missing, what is odd, and what goes
      together.
    </Empty>
  );
}

function Look({ uploadId, again = false }: { uploadId: string; again?: boolean }) {
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      taken(
        api.POST("/data/analyze", {
          body: { upload_id: uploadId, analysis_type: "comprehensive" },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  return (
    <Writing>
      <Stack gap="sm" align="flex-start">
        <Button
          variant={again ? "default" : "filled"}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {again ? "Look again" : "Look closer"}
        </Button>
        <ProblemNote error={start.error} />
      </Stack>
    </Writing>
  );
}

function Seen({ jobId, uploadId, filename }: InsightsProps & { jobId: string }) {
  const query = useQuery(analysisQuery(jobId));
  return (
    <Loaded query={query} height={360}>
      {(analysis) => {
        if (analysis.status === "pending") return <Looking jobId={jobId} />;
        const file = analysis.files.find((one) => one.filename === filename);
        if (!file) {
          const why = analysis.error ?? "This file was not among those that were looked at.";
          return (
            <Stack>
              <ProblemNote error={new Error(why)} title="There is nothing to show" />
              <Look uploadId={uploadId} again />
            </Stack>
          );
        }
        return (
          <Stack>
            <Findings analysis={analysis} file={file} />
            <Text size="sm" c="dimmed">
              Looked at <Moment at={analysis.completed_at} />
            </Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function Looking({ jobId }: { jobId: string }) {
  return (
    <Alert icon={<Loader size={18} />} role="status">
      Looking at every column. This page follows by itself.
      <Waits kind="analysis" of={jobId} />
    </Alert>
  );
}
