/** Which versions of a model are at work, by their labels: never beside a version that is not. */
import { Badge } from "@mantine/core";
import type { Schemas } from "../api/client";
import { Status } from "../ui/status";

type Deployed = Pick<Schemas["ModelSummary"], "deployment_status" | "deployed_versions">;

/** Whether a version answers in a deployment, or is about to. */
export const isAtWork = (status: Schemas["VersionItem"]["deployment_status"]) =>
  status === "DEPLOYED" || status === "DEPLOYING";

export function DeploymentState({ model }: { model: Deployed }) {
  const { deployment_status, deployed_versions } = model;
  if (deployed_versions.length > 0) {
    return <Badge color="green">{deployed_versions.join(", ")} deployed</Badge>;
  }
  return deployment_status === "DEPLOYING" ? <Status value="DEPLOYING" /> : null;
}
