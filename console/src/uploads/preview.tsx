/** The first rows of a file, page by page. */
import { Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client";
import { previewQuery } from "../api/queries";
import { Grid } from "../ui/grid";
import { Loaded } from "../ui/page";
import { Pager } from "../ui/pager";

interface PreviewProps {
  uploadId: string;
  filename: string;
  columns: Schemas["ColumnInfo"][];
}

const ROWS = 20;

/** Digits that a number of JavaScript tells apart. */
const MAX_DIGITS = 17;

export function Preview({ uploadId, filename, columns }: PreviewProps) {
  const [offset, setOffset] = useState(0);
  const query = useQuery({
    ...previewQuery(uploadId, filename, offset, ROWS),
    placeholderData: keepPreviousData,
  });
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
  const units = new Map(columns.map(({ name, unit }) => [name, unit]));
  return (
    <Loaded query={query} height={360}>
      {(preview) => {
        const { names, rows } = tableOf(preview, types);
        const pagination = {
          total: preview.total_rows,
          limit: ROWS,
          offset,
          has_more: offset + ROWS < preview.total_rows,
        };
        return (
          <Stack>
            <Grid
              columns={names}
              units={names.map((name) => units.get(name) ?? "")}
              rows={rows}
              offset={offset}
              isNumber={(name) => types[name] === "integer" || types[name] === "float"}
            />
            <Pager pagination={pagination} onChange={setOffset} of="rows" />
          </Stack>
        );
      }}
    </Loaded>
  );
}

type Types = Record<string, Schemas["ColumnInfo"]["type"]>;

function tableOf(preview: Schemas["TablePreview"] | Schemas["RecordPreview"], types: Types) {
  if ("columns" in preview) {
    const areFractions = preview.columns.map((name) => types[name] === "float");
    const rows = preview.data.map((row) =>
      row.map((text, index) => (areFractions[index] ? fraction(text) : text)),
    );
    return { names: preview.columns, rows };
  }
  const names = [...new Set(preview.data.flatMap((record) => Object.keys(record)))];
  return { names, rows: preview.data.map((record) => names.map((name) => record[name])) };
}

/** Reads the text of a fraction, unless a number would not hold all of its digits. */
function fraction(text: string): string | number {
  const value = Number(text);
  const digits = text.replace(/^[-0.]+|\D/g, "").length;
  return text !== "" && Number.isFinite(value) && digits <= MAX_DIGITS ? value : text;
}
