/** How a file was read, and the form that corrects it: the stored file is read again as a new version. */
import {
  Autocomplete,
  Button,
  Collapse,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { WriteAccess } from "../session/write-access";
import { usePagedList } from "../ui/paged-list";
import { Pager } from "../ui/pager";
import { ProblemNote } from "../ui/problem-note";
import {
  fieldsOf,
  formOf,
  isChanged,
  LABELS,
  optionsOf,
  type ReadForm,
  summaryOf,
} from "./read-options";

type FileDetail = Schemas["FileDetail"];

const DELIMITERS = [",", ";", "tab", "|"];
const ENCODINGS = ["utf-8", "utf-16", "windows-1252", "windows-1250", "windows-1251", "gbk"];
const TYPES = ["string", "integer", "float", "boolean", "date"];
/** So many columns have their types side by side on a page of the form. */
const TYPES_SHOWN = 24;

export function ReadAs({ uploadId, file }: { uploadId: string; file: FileDetail }) {
  const [isOpen, { toggle }] = useDisclosure();
  if (fieldsOf(file).length === 0) return null;
  return (
    <Stack gap="xs" mb={file.read_as ? "sm" : 0}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="dimmed">
          {summaryOf(file)}
        </Text>
        <WriteAccess>
          <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isOpen}>
            Read differently
          </Button>
        </WriteAccess>
      </Group>
      <Collapse expanded={isOpen}>
        <Form uploadId={uploadId} file={file} />
      </Collapse>
    </Stack>
  );
}

function Form({ uploadId, file }: { uploadId: string; file: FileDetail }) {
  const [form, setForm] = useState<ReadForm>(() => formOf(file));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const reading = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/uploads/{upload_id}/files/{filename}/reparse", {
          params: { path: { upload_id: uploadId, filename: file.filename } },
          body: optionsOf(file, form),
        }),
      ),
    onSuccess: async ({ upload_id }) => {
      await queries.invalidateQueries({ queryKey: ["uploads"] });
      await navigate({ to: "/uploads/$uploadId", params: { uploadId: upload_id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reading.mutate();
  };
  const change = (part: Partial<ReadForm>) => setForm((before) => ({ ...before, ...part }));
  const text = (field: keyof typeof LABELS) => ({
    label: LABELS[field],
    value: form[field],
    onChange: (value: string) => change({ [field]: value }),
  });
  const count = (field: "header_rows" | "skip_rows", max: number) => (
    <NumberInput
      {...text(field)}
      min={0}
      max={max}
      allowDecimal={false}
      value={form[field]}
      onChange={(value) => change({ [field]: String(value) })}
    />
  );
  const controls: Record<keyof typeof LABELS, ReactNode> = {
    sheet: (
      <TextInput
        label={LABELS.sheet}
        description="Its name, or its number from 1"
        value={form.sheet}
        onChange={(event) => change({ sheet: event.currentTarget.value })}
      />
    ),
    delimiter: <Autocomplete {...text("delimiter")} data={DELIMITERS} />,
    encoding: <Autocomplete {...text("encoding")} data={ENCODINGS} />,
    header_rows: count("header_rows", 10),
    skip_rows: count("skip_rows", 100),
    decimal: (
      <Select
        label={LABELS.decimal}
        allowDeselect={false}
        data={[
          { value: ".", label: "point (1.5)" },
          { value: ",", label: "comma (1,5)" },
        ]}
        value={form.decimal || null}
        onChange={(value) => change({ decimal: value ?? "." })}
      />
    ),
    null_values: (
      <Textarea
        label={LABELS.null_values}
        description="One a line"
        autosize
        minRows={1}
        value={form.null_values}
        onChange={(event) => change({ null_values: event.currentTarget.value })}
      />
    ),
  };
  return (
    <Stack component="form" onSubmit={submit} aria-label="How the file is read">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {fieldsOf(file).map((field) => (
          <div key={field}>{controls[field]}</div>
        ))}
      </SimpleGrid>
      <ColumnTypes file={file} form={form} onChange={(types) => change({ types })} />
      <ProblemNote error={reading.error} />
      <Group>
        <Button type="submit" loading={reading.isPending} disabled={!isChanged(file, form)}>
          Read again
        </Button>
        <Text size="sm" c="dimmed">
          The stored file is read again, as the next version of the dataset.
        </Text>
      </Group>
    </Stack>
  );
}

interface ColumnTypesProps {
  file: FileDetail;
  form: ReadForm;
  onChange: (types: ReadForm["types"]) => void;
}

function ColumnTypes({ file, form, onChange }: ColumnTypesProps) {
  const { part, pager } = usePagedList(file.column_info ?? [], TYPES_SHOWN);
  if (part.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Types of the columns
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {part.map(({ name }) => (
          <Select
            key={name}
            label={name}
            size="xs"
            allowDeselect={false}
            data={TYPES}
            value={form.types[name] ?? null}
            onChange={(type) =>
              type && onChange({ ...form.types, [name]: type as ReadForm["types"][string] })
            }
          />
        ))}
      </SimpleGrid>
      <Pager {...pager} of="columns" />
    </Stack>
  );
}
