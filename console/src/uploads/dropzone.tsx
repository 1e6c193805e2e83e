/** Where files are dropped or chosen. */
import { Button, Card, Checkbox, FileButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCloudUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type DragEvent, useEffect, useState } from "react";
import { WriteAccess } from "../session/write-access";
import { bytes, plural } from "../ui/number-format";
import { dismiss, enqueue, useUploadQueue } from "./upload-queue";

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
            CSV, TSV, JSON, Parquet or Excel, up to 5 GB each.
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
  const [areJoined, setJoined] = useState(false);
  const navigate = useNavigate();
  const [watched, setWatched] = useState<number>();
  const queue = useUploadQueue();
  const done = queue.find(({ id }) => id === watched)?.uploadId;
  // Whoever sent one file alone is led to its table; whoever went to another page meanwhile stays there.
  useEffect(() => {
    if (!done || watched === undefined) return;
    dismiss(watched);
    void navigate({ to: "/uploads/$uploadId", params: { uploadId: done } });
  }, [done, watched, navigate]);
  const isOne = files.length === 1 || areJoined;
  const begin = () => {
    const [first] = enqueue(
      isOne ? [{ files, name: name.trim() }] : files.map((file) => ({ files: [file], name: "" })),
    );
    if (isOne) setWatched(first);
    else onClear();
  };
  const own = queue.find(({ id }) => id === watched);
  if (watched !== undefined && !own) return <Dropzone />;
  if (own) return null;
  const total = files.reduce((sum, file) => sum + file.size, 0);
  return (
    <Card>
      <Stack>
        <Text fw={600}>
          {plural(files.length, "file")}, {bytes(total)}
        </Text>
        {files.map((file) => (
          <Group key={file.name} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" truncate>
              {file.name}
            </Text>
            <Text size="sm" c="dimmed" className="number">
              {bytes(file.size)}
            </Text>
          </Group>
        ))}
        {files.length > 1 ? (
          <Checkbox
            label="Keep them together as one dataset"
            description="Its tables can be joined in a question. Else each file becomes a dataset of its own."
            checked={areJoined}
            onChange={(event) => setJoined(event.currentTarget.checked)}
          />
        ) : null}
        {isOne ? (
          <TextInput
            label="Name of the dataset"
            description="Optional. Uploads with the same name become versions of one dataset."
            placeholder={files[0]?.name ?? ""}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        <Group>
          <Button autoFocus onClick={begin}>
            Upload
          </Button>
          <Button variant="default" onClick={onClear}>
            Choose others
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
