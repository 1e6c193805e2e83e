/** Why a job ended without a result; that someone cancelled it is no fault. */
import { Text, type TextProps } from "@mantine/core";
import type { Job } from "../api/queries";
import { Sentence } from "../ui/sentence";

type JobErrorProps = TextProps & { job: Pick<Job, "error" | "status"> };

export function JobError({ job, ...props }: JobErrorProps) {
  if (!job.error) return null;
  return (
    <Text c={job.status === "CANCELLED" ? "dimmed" : "red"} title={job.error} {...props}>
      <Sentence>{job.error}</Sentence>
    </Text>
  );
}
