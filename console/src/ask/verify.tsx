/** Keeps a right answer, so that the same question is answered by it from then on, or takes it back. */
import { Badge, Button, Tooltip } from "@mantine/core";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, taken } from "../api/client";
import { Writing } from "../session/writing";
import { ProblemNote } from "../ui/problem-note";
import type { Answered } from "./shapes";

export function Verify({ answer: { query_id, verified = false } }: { answer: Answered }) {
  const [isKept, setKept] = useState(verified);
  const turn = useMutation({
    mutationFn: () => {
      const params = { path: { query_id } };
      return isKept
        ? taken(api.DELETE("/data/queries/{query_id}/verify", { params }))
        : taken(api.POST("/data/queries/{query_id}/verify", { params }));
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
      <Writing>
        <Tooltip
          label={
            isKept
              ? "The same question will be read anew"
              : "The same question will get this answer from now on"
          }
        >
          <Button
            size="compact-sm"
            variant={isKept ? "subtle" : "default"}
            loading={turn.isPending}
            onClick={() => turn.mutate()}
          >
            {isKept ? "Take it back" : "This is right"}
          </Button>
        </Tooltip>
        <ProblemNote error={turn.error} />
      </Writing>
    </>
  );
}
