/** Uploads that were begun here, each with how far it is, what became of it, and what to do. */

import { Button, Card, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { messageOf } from "../api/problem";
import { uploadQuery } from "../api/queries";
import { LinkAnchor } from "../ui/links";
import { percent } from "../ui/number-format";
import { Status } from "../ui/status";
import {
  dismiss,
  dismissAll,
  type QueuedUpload,
  retry,
  shareOf,
  useUploadQueue,
} from "./upload-queue";

export function UploadQueueList() {
  const queue = useUploadQueue();
  if (queue.length === 0) return null;
  const isOver = queue.every(({ state }) => state === "sent" || state === "failed");
  return (
    <Card component="section" aria-label="Uploads">
      <Stack gap="sm">
        {queue.map((upload) => (
          <Line key={upload.id} upload={upload} />
        ))}
        {isOver ? (
          <Group>
            <Button size="compact-sm" variant="default" onClick={dismissAll}>
              Clear the list
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Card>
  );
}

const nameOf = ({ name, files }: QueuedUpload) => name || (files[0]?.name ?? "");

function Line({ upload }: { upload: QueuedUpload }) {
  const { id, state, error, uploadId, canResume } = upload;
  const share = shareOf(upload);
  const processed = useProcessed(uploadId);
  const fault = error ? messageOf(error) : faultOf(processed);
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate>
          {uploadId ? (
            <LinkAnchor size="sm" to="/uploads/$uploadId" params={{ uploadId }}>
              {nameOf(upload)}
            </LinkAnchor>
          ) : (
            nameOf(upload)
          )}
        </Text>
        <Group gap="xs" wrap="nowrap" flex="none">
          {uploadId ? <Status value={processed?.status ?? "processing"} /> : null}
          {state === "waiting" ? <Status value="waiting" /> : null}
          {state === "sending" ? (
            <Text size="sm" c="dimmed" className="number">
              {percent(share, 0)}
            </Text>
          ) : null}
          {state === "failed" ? (
            <Button size="compact-sm" variant="default" onClick={() => retry(id)}>
              {canResume ? "Resume" : "Try again"}
            </Button>
          ) : null}
          {state === "sent" ? null : (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => dismiss(id)}>
              {state === "failed" ? "Remove" : "Stop"}
            </Button>
          )}
        </Group>
      </Group>
      {state === "sending" ? (
        <Progress value={share * 100} size="sm" aria-label={nameOf(upload)} />
      ) : null}
      {fault ? (
        <Text size="sm" c="red" className="long" role="alert">
          {fault}
        </Text>
      ) : null}
    </div>
  );
}

/** What became of the files once they had arrived. */
function useProcessed(uploadId: string | undefined) {
  return useQuery({ ...uploadQuery(uploadId ?? ""), enabled: uploadId !== undefined }).data;
}

const faultOf = (processed: Schemas["UploadDetail"] | undefined) =>
  processed?.status === "failed" && processed.error ? inConsoleTerms(processed.error) : undefined;
