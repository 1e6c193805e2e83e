/** What a job is doing, in a word or a few. */
import type { Job } from "../api/queries";

export function stageOf(job: Job | undefined): string {
  return job?.stage || (job?.status === "RUNNING" ? "starting" : "waiting");
}
