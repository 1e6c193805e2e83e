/** A closer look at an upload: asked for, followed while it is taken, shown. */
import { Alert, Button, Loader, Stack, Text } from "@mantine/core";
import { IconMicroscope } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import { analysisQuery, jobsQuery } from "../api/queries";
import { QueueStatus } from "../jobs/queue-status";
import { WriteAccess } from "../session/write-access";
import { Empty } from "../ui/empty";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { RelativeTime } from "../ui/relative-time";
import { Findings } from "./findings";

interface ProfileProps {
  uploadId: string;
  filename: string;
}

export function Profile({ uploadId, filename }: ProfileProps) {
  const analyses = useQuery(jobsQuery(0, 100, "analysis"));
  return (
    <Loaded query={analyses}>
      {({ jobs }) => {
        const job = jobs.find((one) => "upload_id" in one && one.upload_id === uploadId);
        if (!job) return <NoProfile uploadId={uploadId} />;
        return <ProfileResult jobId={job.job_id} uploadId={uploadId} filename={filename} />;
      }}
    </Loaded>
  );
}

function NoProfile({ uploadId }: { uploadId: string }) {
  return (
    <Empty icon={IconMicroscope} title="No profile yet" action={<RunProfile uploadId={uploadId} />}>
      Statistics, charts and correlations of every column: what is missing, what is odd, and what
      goes together.
    </Empty>
  );
}

function RunProfile({ uploadId, again = false }: { uploadId: string; again?: boolean }) {
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/data/analyze", {
          body: { upload_id: uploadId, analysis_type: "comprehensive" },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  return (
    <WriteAccess>
      <Stack gap="sm" align="flex-start">
        <Button
          variant={again ? "default" : "filled"}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {again ? "Profile again" : "Profile this table"}
        </Button>
        <ProblemNote error={start.error} />
      </Stack>
    </WriteAccess>
  );
}

function ProfileResult({ jobId, uploadId, filename }: ProfileProps & { jobId: string }) {
  const query = useQuery(analysisQuery(jobId));
  return (
    <Loaded query={query} height={360}>
      {(analysis) => {
        if (analysis.status === "pending") return <ProfileProgress jobId={jobId} />;
        const file = analysis.files.find((one) => one.filename === filename);
        if (!file) {
          const why = analysis.error ?? "This file was not among those that were profiled.";
          return (
            <Stack>
              <ProblemNote error={new Error(why)} title="There is nothing to show" />
              <RunProfile uploadId={uploadId} again />
            </Stack>
          );
        }
        return (
          <Stack>
            <Findings analysis={analysis} file={file} />
            <Text size="sm" c="dimmed">
              Profiled <RelativeTime at={analysis.completed_at} />
            </Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function ProfileProgress({ jobId }: { jobId: string }) {
  return (
    <Alert icon={<Loader size={18} />} role="status">
      Profiling every column. This page follows by itself.
      <QueueStatus kind="analysis" of={jobId} />
    </Alert>
  );
}
