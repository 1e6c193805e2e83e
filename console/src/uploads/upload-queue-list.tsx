/** Uploads that were begun here, each with how far it is, what became of it, and what to do. */

import { Button, Card, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
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
        <Group gap="xs" wrap="nowrap">
          {uploadId ? <Processed uploadId={uploadId} /> : null}
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
      {error ? (
        <Text size="sm" c="red" role="alert">
          {messageOf(error)}
        </Text>
      ) : null}
    </div>
  );
}

/** What became of the files once they had arrived. */
function Processed({ uploadId }: { uploadId: string }) {
  const { data } = useQuery(uploadQuery(uploadId));
  if (!data) return <Status value="processing" />;
  return (
    <>
      <Status value={data.status} />
      {data.status === "failed" ? (
        <Text size="sm" c="red" className="long">
          {data.error && inConsoleTerms(data.error)}
        </Text>
      ) : null}
    </>
  );
}
