/** Keeps a model and the list of its versions at one state of the server. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "../api/client";
import { type Model, modelQuery, versionsQuery } from "../api/queries";

type Version = Pick<Schemas["VersionItem"], "model_version" | "status" | "deployment_status">;
type Told = Pick<Model, "model_version" | "status" | "deployed_versions">;

/**
 * Whether a list of versions, newest first, has what the model says of the version it shows, and of
 * those that are deployed.
 */
export function agrees(model: Told, versions: Version[]) {
  const shown = versions.find(({ status }) => status === "READY") ?? versions[0];
  return (
    shown?.model_version === model.model_version &&
    shown.status === model.status &&
    versions.every(
      ({ model_version, deployment_status }) =>
        (deployment_status === "DEPLOYED") === model.deployed_versions.includes(model_version),
    )
  );
}

/**
 * Asks for both again once they differ: each asks by a clock of its own, so that the end of a build,
 * or of a promotion that other replicas take over, shows in one of them seconds before the other, or
 * never.
 */
export function useAgreement(model: Model, versions: Version[] | undefined) {
  const queries = useQueryClient();
  const { model_name, model_version, status, deployed_versions } = model;
  const isStale = versions !== undefined && !agrees(model, versions);
  const listed = versions?.map((version) => version.deployment_status);
  const news = isStale ? `${model_version} ${status} ${deployed_versions} ${listed}` : "";
  useEffect(() => {
    if (news === "") return;
    for (const { queryKey } of [modelQuery(model_name), versionsQuery(model_name)])
      void queries.invalidateQueries({ queryKey, exact: true });
  }, [news, model_name, queries]);
}
