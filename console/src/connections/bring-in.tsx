/** Brings in a table, or what a query gives, once or by a schedule. */
import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, taken } from "../api/client";
import { besideFields, faultOf } from "../api/problem";
import { Writing } from "../session/writing";
import { useDraft } from "../ui/draft";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";
import { OWN, SCHEDULES } from "./schedules";

interface BringInProps {
  connectionId: string;
  /** Without a table a query is asked for. */
  table?: string;
}

export function BringIn({ connectionId, table }: BringInProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const title = table ? `Bring in ${table}` : "Bring in a query’s rows";
  return (
    <Writing>
      <Button
        variant={table ? "subtle" : "default"}
        size={table ? "compact-sm" : "sm"}
        onClick={open}
        {...(table ? { "aria-label": title } : {})}
      >
        {table ? "Bring in" : "Write a query"}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} size={table ? "md" : "lg"}>
        <Wish connectionId={connectionId} {...(table ? { table } : {})} onDone={close} />
      </Modal>
    </Writing>
  );
}

const FIELDS = ["query", "dataset_name", "schedule"];

function Wish({ connectionId, table, onDone }: BringInProps & { onDone: () => void }) {
  const empty = { query: "", name: table ?? "", often: "", line: "" };
  const [typed, keep, forget] = useDraft(`bring-in.${connectionId}.${table ?? ""}`, empty);
  const change = (part: Partial<typeof empty>) => keep({ ...typed, ...part });
  const { query, name, often, line } = typed;
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      taken(
        api.POST("/database/ingest", {
          body: {
            connection_id: connectionId,
            ...(table ? { table } : { query }),
            dataset_name: name.trim(),
            schedule: (often === OWN ? line.trim() : often) || null,
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
  const lacks = !name.trim() || !(table || query.trim()) || (often === OWN && !line.trim());
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
            error={faultOf(start.error, "query")}
            value={query}
            onChange={(event) => change({ query: event.currentTarget.value })}
          />
        )}
        <TextInput
          label="Name of the dataset"
          description="Each time it is brought in, it becomes a new version of this dataset"
          required
          data-autofocus
          error={faultOf(start.error, "dataset_name")}
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="How often"
          data={SCHEDULES}
          value={often}
          onChange={(chosen) => change({ often: chosen ?? "" })}
          allowDeselect={false}
        />
        {often === OWN ? (
          <TextInput
            label="Schedule"
            description="Minute, hour, day of month, month, day of week, in UTC"
            placeholder="30 6 * * mon-fri"
            required
            error={faultOf(start.error, "schedule")}
            value={line}
            onChange={(event) => change({ line: event.currentTarget.value })}
          />
        ) : null}
        <ProblemNote error={besideFields(start.error, FIELDS)} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {often ? "The first time is now." : ""}
          </Text>
          <Button type="submit" loading={start.isPending} disabled={lacks}>
            Bring in
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
