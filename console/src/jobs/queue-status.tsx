/** Says that work on something has not begun, and what it waits for. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { jobsQuery } from "../api/queries";

interface QueueStatusProps {
  kind: Schemas["Kind"];
  /** The id of what is worked on. */
  of: string;
}

export function QueueStatus({ kind, of }: QueueStatusProps) {
  const { data } = useQuery(jobsQuery(0, 100, kind));
  const job = data?.jobs.find((one) => Object.values(one).includes(of));
  if (job?.status !== "PENDING" || !job.stage) return null;
  return <Text size="sm">It is {job.stage}.</Text>;
}
