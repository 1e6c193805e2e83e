/** A build while it runs: how far it is and what it says. */
import { Alert, Card, Group, Progress, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { jobsQuery } from "../api/queries";
import { useJob } from "../jobs/follow";
import { stageOf } from "../jobs/stage";

export function BuildProgress({ modelName }: { modelName: string }) {
  const jobs = useQuery(jobsQuery(0, 100, "build"));
  const job = jobs.data?.jobs.find(
    (candidate) => "model_name" in candidate && candidate.model_name === modelName,
  );
  if (!job) return <Alert>The build is waiting for its turn.</Alert>;
  return <Followed jobId={job.job_id} modelName={modelName} />;
}

function Followed({ jobId, modelName }: { jobId: string; modelName: string }) {
  const { job, lines, isOver } = useJob(jobId);
  const queries = useQueryClient();
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ["models", modelName] });
  }, [isOver, modelName, queries]);
  const progress = job?.progress ?? 0;
  return (
    <Card component="section" aria-label="Build">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} fz="lg">
            Building
          </Title>
          <Text c="dimmed" className="number">
            {stageOf(job)} · {progress}%
          </Text>
        </Group>
        <Progress value={progress} size="lg" animated aria-label="Progress of the build" />
        <ScrollArea.Autosize mah={220}>
          <Stack gap={2} aria-live="polite">
            {lines.map((line) => (
              <Text key={line.sequence} size="sm" c="dimmed">
                {line.message}
              </Text>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Stack>
    </Card>
  );
}
