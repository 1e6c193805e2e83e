/** Stops a job. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import type { Job } from "../api/queries";
import { Writing } from "../session/writing";
import { ProblemNote } from "../ui/problem-note";

export function Cancel({ job }: { job: Job }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () =>
      taken(api.POST("/jobs/{job_id}/cancel", { params: { path: { job_id: job.job_id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  return (
    <Writing>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        loading={cancel.isPending}
        disabled={job.cancel_requested}
        onClick={() => cancel.mutate()}
      >
        {job.cancel_requested ? "Stopping" : "Stop"}
      </Button>
      <ProblemNote error={cancel.error} />
    </Writing>
  );
}
