/** Where files are dropped or chosen, and how far they got. */
import { Button, Card, FileButton, Group, Progress, Stack, Text, TextInput } from "@mantine/core";
import { IconCloudUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type DragEvent, useRef, useState } from "react";
import { WriteAccess } from "../session/write-access";
import { bytes, percent, plural } from "../ui/number-format";
import { ProblemNote } from "../ui/problem-note";
import { send } from "./send";

export function Dropzone() {
  const [files, setFiles] = useState<File[]>([]);
  const [isOver, setOver] = useState(false);
  const take = (chosen: File[]) => {
    const names = new Set(chosen.map((file) => file.name));
    setFiles((before) => [...before.filter((file) => !names.has(file.name)), ...chosen]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  if (files.length > 0) return <SelectedFiles files={files} onClear={() => setFiles([])} />;
  return (
    <WriteAccess>
      <Card
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        bg={isOver ? "var(--mantine-primary-color-light)" : undefined}
        style={{ borderStyle: "dashed", borderWidth: 2 }}
      >
        <Stack align="center" gap={6} py="md">
          <IconCloudUpload size={36} stroke={1.4} aria-hidden />
          <Text fw={600}>Drop files here</Text>
          <Text c="dimmed" size="sm" ta="center">
            CSV, TSV, JSON, Parquet or Excel, up to 5 GB each; files of one upload can be joined.
          </Text>
          <FileButton onChange={take} multiple>
            {(props) => (
              <Button {...props} mt="xs">
                Choose files
              </Button>
            )}
          </FileButton>
        </Stack>
      </Card>
    </WriteAccess>
  );
}

function SelectedFiles({ files, onClear }: { files: File[]; onClear: () => void }) {
  const [name, setName] = useState("");
  const [sent, setSent] = useState<Record<string, number>>({});
  const stop = useRef(new AbortController());
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return send(files, name.trim(), setSent, stop.current.signal);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["uploads"] }),
  });
  // Whoever went to another page meanwhile stays there.
  const begin = () =>
    sending.mutate(undefined, {
      onSuccess: (uploadId) => void navigate({ to: "/uploads/$uploadId", params: { uploadId } }),
    });
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <Card>
      <Stack>
        <Text fw={600}>
          {plural(files.length, "file")}, {bytes(total)}
        </Text>
        {files.map((file) => (
          <FileProgress
            key={file.name}
            file={file}
            share={(sent[file.name] ?? 0) / Math.max(1, file.size)}
            isSending={sending.isPending}
          />
        ))}
        <TextInput
          label="Name of the dataset"
          description="Optional. Uploads with the same name become versions of one dataset."
          placeholder={files[0]?.name ?? ""}
          value={name}
          disabled={sending.isPending}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ProblemNote error={sending.error} />
        <Group>
          <Button autoFocus onClick={begin} loading={sending.isPending}>
            Upload
          </Button>
          <Button
            variant="default"
            onClick={() => (sending.isPending ? stop.current.abort() : onClear())}
          >
            {sending.isPending ? "Stop" : "Choose others"}
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

interface FileProgressProps {
  file: File;
  share: number;
  isSending: boolean;
}

function FileProgress({ file, share, isSending }: FileProgressProps) {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" truncate>
          {file.name}
        </Text>
        <Text size="sm" c="dimmed" className="number">
          {isSending ? percent(Math.min(1, share), 0) : bytes(file.size)}
        </Text>
      </Group>
      {isSending ? <Progress value={share * 100} size="sm" aria-label={file.name} /> : null}
    </div>
  );
}
