/** Which of a model's builds to show, out of jobs that are listed newest first. */
import type { Job } from "../../api/queries";

/** The one at work, else the next one, else the last one. */
export function currentBuild(jobs: Job[], modelName: string): Job | undefined {
  const own = jobs.filter(({ model_name }) => model_name === modelName);
  return (
    own.find(({ status }) => status === "RUNNING") ??
    own.findLast(({ status }) => status === "PENDING") ??
    own[0]
  );
}
