/** What somebody says of a column; an empty field leaves it as it was inferred. */
import { Select, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Correct } from "./correct";
import {
  AGGREGATIONS,
  type CatalogColumn,
  onlyTold,
  origin,
  ROLES,
  readTold,
  shown,
  shownText,
  told,
  toldWords,
} from "./terms";

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const YES_NO = { true: "yes", false: "no" };

const saidWords = (column: CatalogColumn) =>
  column.synonyms.filter(({ origin: from }) => from === "correction").map(({ words }) => words);

function begun(column: CatalogColumn) {
  const said = (name: "label" | "role" | "additivity" | "unit" | "format" | "private") =>
    column[name].corrected ? shownText(column[name].value) : "";
  return {
    label: said("label"),
    role: said("role"),
    additivity: said("additivity"),
    unit: said("unit"),
    format: said("format"),
    private: said("private"),
    synonyms: saidWords(column),
  };
}

interface ColumnFormProps {
  uploadId: string;
  table: string;
  column: CatalogColumn;
}

export function ColumnForm({ uploadId, table, column }: ColumnFormProps) {
  const [form, setForm] = useState(() => begun(column));
  const patch = () => ({
    tables: {
      [table]: {
        columns: {
          [column.name]: onlyTold({
            label: told(form.label, column.label),
            role: told(form.role, column.role) as keyof typeof ROLES | null | undefined,
            additivity: told(form.additivity, column.additivity) as
              | keyof typeof AGGREGATIONS
              | null
              | undefined,
            unit: told(form.unit, column.unit),
            format: told(form.format, column.format),
            private: readTold(told(form.private, column.private), (text) => text === "true"),
            synonyms: toldWords(form.synonyms, saidWords(column)),
          }),
        },
      },
    },
  });
  return (
    <Correct
      uploadId={uploadId}
      title={`Correct ${column.name}`}
      label="Correct"
      heard={`Correct ${column.name}`}
      onOpen={() => setForm(begun(column))}
      patch={patch}
    >
      <TextInput
        label="Label"
        placeholder={shown(column.label.inferred)}
        maxLength={255}
        value={form.label}
        onChange={(event) => setForm({ ...form, label: event.currentTarget.value })}
      />
      <Select
        label="Role"
        description={origin(column.role, ROLES)}
        placeholder={shown(column.role.inferred, ROLES)}
        clearable
        data={options(ROLES)}
        value={form.role || null}
        onChange={(role) => setForm({ ...form, role: role ?? "" })}
      />
      <Select
        label="Aggregation"
        description="How a measure may be put together over rows"
        placeholder={shown(column.additivity.inferred, AGGREGATIONS)}
        clearable
        data={options(AGGREGATIONS)}
        value={form.additivity || null}
        onChange={(additivity) => setForm({ ...form, additivity: additivity ?? "" })}
      />
      <TextInput
        label="Unit"
        placeholder={shown(column.unit.inferred)}
        maxLength={50}
        value={form.unit}
        onChange={(event) => setForm({ ...form, unit: event.currentTarget.value })}
      />
      <TextInput
        label="Format"
        description="How the texts of a date are written, such as %d/%m/%Y"
        placeholder={shown(column.format.inferred)}
        maxLength={50}
        value={form.format}
        onChange={(event) => setForm({ ...form, format: event.currentTarget.value })}
      />
      <TagsInput
        label="Synonyms"
        description="Other words that questions call it by"
        value={form.synonyms}
        onChange={(synonyms) => setForm({ ...form, synonyms })}
      />
      <Select
        label="Private"
        description="Whether none of its values may be shown to a language model"
        placeholder={shown(column.private.inferred)}
        clearable
        data={options(YES_NO)}
        value={form.private || null}
        onChange={(told) => setForm({ ...form, private: told ?? "" })}
      />
    </Correct>
  );
}
