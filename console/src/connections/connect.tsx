/** Stores a database; the server opens it once to see whether it can. */
import {
  Button,
  Group,
  Modal,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../api/client";
import { fieldError, formError } from "../api/problem";
import { WriteAccess } from "../session/write-access";
import { useDraft } from "../ui/draft";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";
import {
  connectionOf,
  EMPTY,
  type FormValues,
  isComplete,
  KINDS,
  type Kind,
  SECURITY,
} from "./form";

export function Connect() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <WriteAccess>
      <Button onClick={open}>Connect a database</Button>
      <Modal opened={isOpen} onClose={close} title="Connect a database" size="lg">
        <ConnectionForm />
      </Modal>
    </WriteAccess>
  );
}

type Change = (part: Partial<FormValues>) => void;

function ConnectionForm() {
  const [kept, keep, forget] = useDraft("connection", EMPTY);
  const [password, setPassword] = useState("");
  const typed = { ...kept, password };
  const change: Change = ({ password: secret, ...part }) => {
    if (secret !== undefined) setPassword(secret);
    else keep({ ...kept, ...part });
  };
  const queries = useQueryClient();
  const navigate = useNavigate();
  const store = useMutation({
    mutationFn: () => unwrap(api.POST("/database/connections", { body: connectionOf(typed) })),
    onSuccess: async ({ connection_id }) => {
      forget();
      await queries.invalidateQueries({ queryKey: ["connections"] });
      await navigate({
        to: "/databases/$connectionId",
        params: { connectionId: connection_id },
      });
    },
  });
  const form = useFaultFocus(store.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate();
  };
  const isFile = typed.kind === "sqlite";
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <SegmentedControl
          value={typed.kind}
          onChange={(kind) => change({ kind: kind as Kind })}
          data={Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))}
          aria-label="Kind of database"
        />
        {isFile ? (
          <FileFields typed={typed} change={change} error={store.error} />
        ) : (
          <ServerFields typed={typed} change={change} error={store.error} />
        )}
        <TextInput
          label="Name"
          description="Optional; what it is called here"
          placeholder={typed.database}
          maxLength={255}
          value={typed.name}
          error={fieldError(store.error, "name")}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <ProblemNote error={formError(store.error, isFile ? OF_FILES : OF_SERVERS)} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            It is tried before it is kept.
          </Text>
          <Button type="submit" loading={store.isPending} disabled={!isComplete(typed)}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const OF_FILES = ["name", "database"];
const OF_SERVERS = [...OF_FILES, "host", "port", "username", "password"];

interface FieldsProps {
  typed: FormValues;
  change: Change;
  error: Error | null;
}

function FileFields({ typed, change, error }: FieldsProps) {
  return (
    <TextInput
      label="File"
      description="Its path inside the folder that the operator opened for SQLite files"
      placeholder="shop.sqlite"
      required
      value={typed.database}
      error={fieldError(error, "database")}
      onChange={(event) => change({ database: event.currentTarget.value })}
    />
  );
}

function ServerFields({ typed, change, error }: FieldsProps) {
  return (
    <>
      <Group align="flex-start">
        <TextInput
          label="Host"
          data-autofocus
          placeholder="db.example.org"
          required
          flex="3 1 220px"
          value={typed.host}
          error={fieldError(error, "host")}
          onChange={(event) => change({ host: event.currentTarget.value })}
        />
        <NumberInput
          label="Port"
          placeholder={KINDS[typed.kind].port}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
          flex="1 1 90px"
          value={typed.port}
          error={fieldError(error, "port")}
          onChange={(port) => change({ port: String(port) })}
        />
      </Group>
      <TextInput
        label="Database"
        placeholder="shop"
        required
        value={typed.database}
        error={fieldError(error, "database")}
        onChange={(event) => change({ database: event.currentTarget.value })}
      />
      <Group align="flex-start" grow>
        <TextInput
          label="User"
          required
          autoComplete="off"
          description="Reading is all it needs to be allowed"
          value={typed.username}
          error={fieldError(error, "username")}
          onChange={(event) => change({ username: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          autoComplete="off"
          description="Kept sealed; it is never shown again"
          value={typed.password}
          error={fieldError(error, "password")}
          aria-invalid={!!fieldError(error, "password")}
          onChange={(event) => change({ password: event.currentTarget.value })}
        />
      </Group>
      <Select
        label="Encryption"
        data={SECURITY}
        value={typed.security}
        onChange={(security) => change({ security: security ?? EMPTY.security })}
        allowDeselect={false}
      />
    </>
  );
}
