/** Imports a table, or what a query gives, once or by a schedule. */
import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, unwrap } from "../api/client";
import { fieldError, formError } from "../api/problem";
import { WriteAccess } from "../session/write-access";
import { useDraft } from "../ui/draft";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";
import { CUSTOM, SCHEDULES } from "./schedules";

interface IngestProps {
  connectionId: string;
  /** Without a table a query is asked for. */
  table?: string;
}

export function Ingest({ connectionId, table }: IngestProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const title = table ? `Import ${table}` : "Import a query";
  return (
    <WriteAccess>
      <Button
        variant={table ? "subtle" : "default"}
        size={table ? "compact-sm" : "sm"}
        onClick={open}
        {...(table ? { "aria-label": title } : {})}
      >
        {table ? "Import" : "Import a query"}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size={table ? "md" : "lg"}>
        <IngestForm connectionId={connectionId} {...(table ? { table } : {})} onDone={close} />
      </Modal>
    </WriteAccess>
  );
}

const FIELDS = ["query", "dataset_name", "schedule"];

function IngestForm({ connectionId, table, onDone }: IngestProps & { onDone: () => void }) {
  const empty = { query: "", name: table ?? "", often: "", line: "" };
  const [typed, keep, forget] = useDraft(`bring-in.${connectionId}.${table ?? ""}`, empty);
  const change = (part: Partial<typeof empty>) => keep({ ...typed, ...part });
  const { query, name, often, line } = typed;
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/database/ingest", {
          body: {
            connection_id: connectionId,
            ...(table ? { table } : { query }),
            dataset_name: name.trim(),
            schedule: (often === CUSTOM ? line.trim() : often) || null,
          },
        }),
      ),
    onSuccess: async () => {
      forget();
      onDone();
      await queries.invalidateQueries({ queryKey: ["ingestions"] });
    },
  });
  const form = useFaultFocus(start.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  const lacks = !name.trim() || !(table || query.trim()) || (often === CUSTOM && !line.trim());
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        {table ? null : (
          <Textarea
            label="Query"
            description="One statement that reads; nothing can be written by it"
            placeholder="SELECT city, count(*) FROM orders GROUP BY city"
            required
            autosize
            minRows={4}
            spellCheck={false}
            styles={{ input: { fontFamily: "monospace", fontSize: 14 } }}
            data-autofocus
            error={fieldError(start.error, "query")}
            value={query}
            onChange={(event) => change({ query: event.currentTarget.value })}
          />
        )}
        <TextInput
          label="Name of the dataset"
          description="Each import becomes a new version of this dataset"
          required
          data-autofocus
          error={fieldError(start.error, "dataset_name")}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="Schedule"
          data={SCHEDULES}
          value={often}
          onChange={(chosen) => change({ often: chosen ?? "" })}
          allowDeselect={false}
        />
        {often === CUSTOM ? (
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of month, month, day of week, in UTC"
            placeholder="30 6 * * mon-fri"
            required
            error={fieldError(start.error, "schedule")}
            value={line}
            onChange={(event) => change({ line: event.currentTarget.value })}
          />
        ) : null}
        <ProblemNote error={formError(start.error, FIELDS)} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {often ? "The first time is now." : ""}
          </Text>
          <Button type="submit" loading={start.isPending} disabled={lacks}>
            Import
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
