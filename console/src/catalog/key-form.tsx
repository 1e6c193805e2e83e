/** What somebody says of a key: whose rows the values of a column name, and as what. */
import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Correct } from "./correct";
import { type Catalog, type CatalogKey, keyPatch } from "./terms";

/** A column of any table as the value of a choice, which is a text. */
const written = (table: string, column: string) => JSON.stringify([table, column]);

const read = (place: string) => JSON.parse(place) as [string, string];

function columnsOf(catalog: Catalog) {
  return catalog.tables.flatMap(({ name, columns }) =>
    columns.map((column) => ({
      value: written(name, column.name),
      label: `${name}.${column.name}`,
    })),
  );
}

interface KeyFormProps {
  uploadId: string;
  catalog: Catalog;
  /** The key that is corrected; a new one without it. */
  relationship?: CatalogKey;
}

export function KeyForm({ uploadId, catalog, relationship }: KeyFormProps) {
  const begun = relationship
    ? {
        column: written(relationship.table, relationship.column),
        target: written(relationship.to_table, relationship.to_column),
        role: relationship.role,
      }
    : { column: "", target: "", role: "" };
  const [form, setForm] = useState(begun);
  const columns = columnsOf(catalog);
  const targets = columns.filter(({ value }) => value !== form.column);
  if (relationship && !targets.some(({ value }) => value === begun.target)) {
    const { to_table, to_column } = relationship;
    targets.push({ value: begun.target, label: `${to_table}.${to_column}` });
  }
  const name = relationship ? `${relationship.table}.${relationship.column}` : "";
  const patch = () => {
    if (!form.column || !form.target) return {}; // the form asks for both
    const [table, column] = read(form.column);
    const [toTable, toColumn] = read(form.target);
    return keyPatch(table, column, { table: toTable, column: toColumn, role: form.role });
  };
  return (
    <Correct
      uploadId={uploadId}
      title={relationship ? `Correct the key ${name}` : "New key"}
      label={relationship ? "Correct" : "New key"}
      heard={relationship ? `Correct the key ${name}` : "New key"}
      onOpen={() => setForm(begun)}
      patch={patch}
    >
      <Select
        label="Column"
        description="Whose values name rows"
        required
        searchable
        disabled={relationship !== undefined}
        data={columns}
        value={form.column || null}
        onChange={(column) => setForm({ ...form, column: column ?? "" })}
      />
      <Select
        label="References"
        description="The column that holds each of these values once"
        required
        searchable
        data={targets}
        value={form.target || null}
        onChange={(target) => setForm({ ...form, target: target ?? "" })}
      />
      <TextInput
        label="Role"
        description="What the other row is to this one, where several keys lead to one table"
        placeholder="shipping"
        maxLength={100}
        value={form.role}
        onChange={(event) => setForm({ ...form, role: event.currentTarget.value })}
      />
    </Correct>
  );
}
