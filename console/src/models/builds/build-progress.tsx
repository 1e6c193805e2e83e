/** A build while it runs: how far it is and what it says. */
import { Alert, Card, Group, Progress, ScrollArea, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Job, jobsQuery } from "../../api/queries";
import { Cancel } from "../../jobs/cancel";
import { stageOf } from "../../jobs/stage";
import { useJob } from "../../jobs/use-job";
import { currentBuild } from "./current-build";

export function BuildProgress({ modelName }: { modelName: string }) {
  const jobs = useQuery(jobsQuery(0, 100, "build"));
  const build = currentBuild(jobs.data?.jobs ?? [], modelName);
  if (!build) return <Alert>The build is waiting for its turn.</Alert>;
  return <RunningBuild build={build} modelName={modelName} />;
}

function RunningBuild({ build, modelName }: { build: Job; modelName: string }) {
  const { job, lines, isOver } = useJob(build.job_id);
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
            Building {build.model_version}
          </Title>
          <Group gap="xs">
            <Text c="dimmed" className="number">
              {stageOf(job)} · {progress}%
            </Text>
            {isOver ? null : <Cancel job={build} />}
          </Group>
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
