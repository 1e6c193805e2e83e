/** Makes a key and shows its secret, once. */
import { Alert, Button, Group, Modal, NumberInput, Radio, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { WriteAccess } from "../session/write-access";
import { ProblemNote } from "../ui/problem-note";
import { Snippet } from "../ui/snippet";

type Level = Schemas["IssueKey"]["permission_level"];

export function NewKey() {
  const [isOpen, { open, close }] = useDisclosure();
  const queries = useQueryClient();
  const issue = useMutation({
    mutationFn: (body: Schemas["IssueKey"]) => unwrap(api.POST("/auth/api-keys", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  const isOnItsWay = issue.isPending || issue.isSuccess;
  return (
    <WriteAccess>
      <Button
        onClick={() => {
          issue.reset();
          open();
        }}
      >
        New key
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={issue.data ? "Your new key" : "New key"}
        closeOnClickOutside={!isOnItsWay}
        closeOnEscape={!isOnItsWay}
      >
        {issue.data ? (
          <Stack>
            <Alert color="yellow">Copy it now: it is shown only this once.</Alert>
            <Snippet text={issue.data.key ?? ""} label="Copy the key" />
            <Group justify="flex-end">
              <Button onClick={close}>I have it</Button>
            </Group>
          </Stack>
        ) : (
          <KeyForm onSubmit={issue.mutate} isPending={issue.isPending} error={issue.error} />
        )}
      </Modal>
    </WriteAccess>
  );
}

interface KeyFormProps {
  onSubmit: (wish: Schemas["IssueKey"]) => void;
  isPending: boolean;
  error: Error | null;
}

function KeyForm({ onSubmit, isPending, error }: KeyFormProps) {
  const [name, setName] = useState("");
  const [level, setLevel] = useState<Level>("read_write");
  const [days, setDays] = useState<number | string>("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({
      name,
      permission_level: level,
      expiration_days: typeof days === "number" ? days : null,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          placeholder="What it is for"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label="Permissions"
          value={level}
          onChange={(chosen) => setLevel(chosen === "read_only" ? "read_only" : "read_write")}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="read_write" label="read and write: upload, build, delete" />
            <Radio value="read_only" label="read only: look, ask and predict" />
          </Stack>
        </Radio.Group>
        <NumberInput
          label="Expires after (days)"
          description="Empty means never"
          min={1}
          max={3650}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
        <ProblemNote error={error} />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={!name.trim()}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
