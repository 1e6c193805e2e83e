import { expect, it } from "vitest";
import type { Job } from "../../api/queries";
import { currentBuild } from "./current-build";

const jobOf = (model_version: string, status: string, model_name = "churn") =>
  ({ job_id: model_version, kind: "build", status, model_name, model_version }) as Job;

it("shows the build at work, then the one that is next, then the last one", () => {
  const waiting = [jobOf("v1.2", "PENDING"), jobOf("v1.1", "PENDING")];
  const ended = [jobOf("v1.0", "COMPLETED"), jobOf("v9.0", "RUNNING", "other")];
  const versionOf = (jobs: Job[]) => currentBuild(jobs, "churn")?.model_version;
  expect(versionOf([...waiting, jobOf("v1.0", "RUNNING")])).toBe("v1.0");
  expect(versionOf([...waiting, ...ended])).toBe("v1.1");
  expect(versionOf(ended)).toBe("v1.0");
  expect(versionOf([])).toBeUndefined();
});
