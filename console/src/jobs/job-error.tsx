/** Why a job ended without a result; that someone cancelled it is no fault. */
import { Text, type TextProps } from "@mantine/core";
import { inConsoleTerms } from "../api/console-terms";
import type { Job } from "../api/queries";
import { Sentence } from "../ui/sentence";

type JobErrorProps = TextProps & { job: Pick<Job, "error" | "status"> };

export function JobError({ job, ...props }: JobErrorProps) {
  if (!job.error) return null;
  const said = inConsoleTerms(job.error);
  return (
    <Text c={job.status === "CANCELLED" ? "dimmed" : "red"} title={said} {...props}>
      <Sentence>{said}</Sentence>
    </Text>
  );
}
