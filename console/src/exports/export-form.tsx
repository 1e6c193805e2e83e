/** Takes an upload away: its files as they were read, in another format where that is wished. */
import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { WriteAccess } from "../session/write-access";
import { Name } from "../ui/name";
import { ProblemNote } from "../ui/problem-note";
import { ExportFiles } from "./export-files";

type Format = NonNullable<Schemas["CreateExport"]["format"]>;

const FORMATS: { value: Format; label: string }[] = [
  { value: "csv", label: "CSV" },
  { value: "json", label: "JSON" },
  { value: "parquet", label: "Parquet" },
];

export function Export({ uploadId, name }: { uploadId: string; name: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <WriteAccess>
      <Button variant="default" onClick={open}>
        Download
      </Button>
      <Modal opened={isOpen} onClose={close} title={<Name>{`Download ${name}`}</Name>} size="lg">
        <ExportForm uploadId={uploadId} />
      </Modal>
    </WriteAccess>
  );
}

function ExportForm({ uploadId }: { uploadId: string }) {
  const [format, setFormat] = useState<Format>("csv");
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/data/export", {
          body: { upload_id: uploadId, format, include_headers: true, email_notification: false },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["jobs"] }),
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        The table as it was read: with the names and types that its columns have here.
      </Text>
      <Group justify="space-between">
        <SegmentedControl
          value={format}
          onChange={(chosen) => {
            setFormat(FORMATS.find(({ value }) => value === chosen)?.value ?? "csv");
            start.reset();
          }}
          data={FORMATS}
          aria-label="Format"
        />
        <Button loading={start.isPending} onClick={() => start.mutate()} data-autofocus>
          Create file
        </Button>
      </Group>
      <ProblemNote error={start.error} />
      {start.data ? (
        <ExportFiles
          exportId={start.data.export_id}
          kind="export"
          busy="Writing the file."
          fault="It was not written"
        />
      ) : null}
    </Stack>
  );
}
