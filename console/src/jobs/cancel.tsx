/** Stops a job. */
import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../api/client";
import type { Job } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { ProblemNote } from "../ui/problem-note";

export function Cancel({ job }: { job: Job }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/jobs/{job_id}/cancel", { params: { path: { job_id: job.job_id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  return (
    <WriteAccess>
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
    </WriteAccess>
  );
}
