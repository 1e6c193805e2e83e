/** What keeps an upload from being used: that it is being read, has not arrived, or is broken. */
import { Alert, Button, FileButton, Loader, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { QueueStatus } from "../jobs/queue-status";
import { WriteAccess } from "../session/write-access";
import { LinkAnchor } from "../ui/links";
import { fieldsOf } from "./read-options";
import { resume, useUploadQueue } from "./upload-queue";
import { UploadQueueList } from "./upload-queue-list";

export function UploadStatus({ upload }: { upload: Schemas["UploadDetail"] }) {
  if (upload.status === "processing") {
    return (
      <Alert icon={<Loader size={18} />} role="status">
        Reading and typing the {upload.files.length > 1 ? "files" : "file"}. This page follows by
        itself.
        <QueueStatus kind="processing" of={upload.upload_id} />
      </Alert>
    );
  }
  if (upload.status === "pending") {
    return (
      <Alert>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            It has not all arrived yet. If it broke off, choose the same{" "}
            {upload.files.length > 1 ? "files" : "file"} again: what has arrived is kept, and
            sending goes on where it stopped.
          </Text>
          <WriteAccess>
            <Resume upload={upload} />
          </WriteAccess>
        </Stack>
      </Alert>
    );
  }
  if (upload.status !== "failed") return null;
  const broken = upload.files.flatMap(({ filename, error }) =>
    error ? [{ filename, error }] : [],
  );
  return (
    <Alert color="red" title="This upload can't be used" role="alert">
      {broken.length === 0 && upload.error ? inConsoleTerms(upload.error) : null}
      <Stack gap="xs">
        {broken.map(({ filename, error }) => (
          <div key={filename}>
            <Text fw={600} size="sm">
              {filename}
              {error.line ? `, line ${error.line}` : ""}
            </Text>
            <Text size="sm">{inConsoleTerms(error.message)}</Text>
            {error.expected ? (
              <Text size="sm" c="dimmed">
                Expected: {error.expected}
              </Text>
            ) : null}
          </div>
        ))}
        <WriteAccess>
          <Text size="sm">
            Put the file right and{" "}
            <LinkAnchor to="/uploads" size="sm" underline="always" c="inherit">
              upload it again
            </LinkAnchor>
            {broken.length === 0 || upload.files.every((file) => fieldsOf(file).length === 0)
              ? "."
              : ", or say below how it is to be read."}
          </Text>
        </WriteAccess>
      </Stack>
    </Alert>
  );
}

/** Goes on with an upload whose files are chosen again, as after the browser was closed. */
function Resume({ upload }: { upload: Schemas["UploadDetail"] }) {
  const isRunning = useUploadQueue().some(({ state }) => state === "sending");
  return (
    <>
      {isRunning ? null : (
        <FileButton
          multiple
          onChange={(files) => files.length > 0 && resume(upload.upload_id, files, upload.name)}
        >
          {(props) => (
            <Button {...props} size="compact-sm">
              Resume
            </Button>
          )}
        </FileButton>
      )}
      <UploadQueueList />
    </>
  );
}
