/** Keeps a right answer, so that the same question is answered by it from then on, or takes it back. */
import { Badge, Button, Tooltip } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../api/client";
import { WriteAccess } from "../session/write-access";
import { ProblemNote } from "../ui/problem-note";
import type { Answer } from "./types";

export function Verify({ answer: { query_id, verified = false } }: { answer: Answer }) {
  const [isKept, setKept] = useState(verified);
  const turn = useMutation({
    mutationFn: () => {
      const params = { path: { query_id } };
      return isKept
        ? unwrap(api.DELETE("/data/queries/{query_id}/verify", { params }))
        : unwrap(api.POST("/data/queries/{query_id}/verify", { params }));
    },
    onSuccess: () => setKept(!isKept),
  });
  return (
    <>
      {isKept ? (
        <Badge color="green" leftSection={<IconRosetteDiscountCheck size={14} aria-hidden />}>
          verified
        </Badge>
      ) : null}
      <WriteAccess>
        <Tooltip
          label={
            isKept
              ? "The same question will be interpreted anew"
              : "The same question will get this answer from now on"
          }
        >
          <Button
            size="compact-sm"
            variant={isKept ? "subtle" : "default"}
            loading={turn.isPending}
            onClick={() => turn.mutate()}
          >
            {isKept ? "Undo" : "Verify"}
          </Button>
        </Tooltip>
        <ProblemNote error={turn.error} />
      </WriteAccess>
    </>
  );
}
