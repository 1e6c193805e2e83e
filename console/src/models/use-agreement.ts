/** Keeps a model and the list of its versions at one state of the server. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "../api/client";
import { type Model, modelQuery, versionsQuery } from "../api/queries";

type Version = Pick<Schemas["VersionItem"], "model_version" | "status">;

/** Whether a list of versions, newest first, has what the model says of the version it shows. */
export function agrees(model: Pick<Model, "model_version" | "status">, versions: Version[]) {
  const shown = versions.find(({ status }) => status === "READY") ?? versions[0];
  return shown?.model_version === model.model_version && shown.status === model.status;
}

/**
 * Asks for both again once they differ: each asks by a clock of its own, so that the end of a build
 * shows in one of them seconds before the other.
 */
export function useAgreement(model: Model, versions: Version[] | undefined) {
  const queries = useQueryClient();
  const { model_name, model_version, status } = model;
  const isStale = versions !== undefined && !agrees(model, versions);
  const news = isStale ? `${model_version} ${status}` : "";
  useEffect(() => {
    if (news === "") return;
    for (const { queryKey } of [modelQuery(model_name), versionsQuery(model_name)])
      void queries.invalidateQueries({ queryKey, exact: true });
  }, [news, model_name, queries]);
}
