/** The plan of what is asked for now: another request ends the one before, and its plan is never shown. */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call, type Schemas } from "../../api/client";
import type { Plan } from "../types";
import type { ColumnTypes } from "./feature-selection";

export interface BuildRequest {
  intent: string;
  dataset_id: string;
  target: string | null;
  input_schema: ColumnTypes | null;
  split: Schemas["Split"] | null;
  threshold: number | null;
  costs: Schemas["Costs"] | null;
  sample_weight: string | null;
}

/** A plan with the request that it is of, which is what a build then sends. */
export interface PlannedBuild {
  request: BuildRequest;
  plan: Plan & { plan_id: string };
}

export function usePlan(modelName: string) {
  const [planned, setPlanned] = useState<PlannedBuild>();
  const running = useRef<AbortController>(undefined);
  // A page that is left asks for nothing any more, so that the server stops planning.
  useEffect(() => () => running.current?.abort(), []);
  const plan = useMutation({
    mutationFn: async (request: BuildRequest): Promise<PlannedBuild> => {
      running.current?.abort();
      running.current = new AbortController();
      const { signal } = running.current;
      const path = `/models/${encodeURIComponent(modelName || "model")}/plan`;
      const made = await call<PlannedBuild["plan"]>("POST", path, request, { signal });
      signal.throwIfAborted();
      return { request, plan: made };
    },
    onSuccess: setPlanned,
  });
  const forget = () => {
    running.current?.abort();
    plan.reset();
    setPlanned(undefined);
  };
  return { planned, start: plan.mutate, isPending: plan.isPending, error: plan.error, forget };
}
