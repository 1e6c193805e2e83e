/** Real rows of the data a model learnt from, to begin a form or a snippet with. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, taken } from "../api/client";
import type { Model } from "../api/queries";
import { type Row, rowOf, type Schema } from "./form";

export interface Sample {
  texts: Record<string, string>;
  row: Row;
  values: Record<string, string[]>;
}

const ROWS = 100;

async function readSample(uploadId: string, schema: Schema): Promise<Sample> {
  const upload = await taken(
    api.GET("/uploads/{upload_id}", { params: { path: { upload_id: uploadId } } }),
  );
  const file = upload.files.find((candidate) => candidate.rows);
  if (!file) return sampleOf([], schema);
  const preview = await taken(
    api.GET("/data/uploads/{upload_id}/files/{filename}/preview", {
      params: { path: { upload_id: uploadId, filename: file.filename }, query: { limit: ROWS } },
    }),
  );
  if (!("columns" in preview)) return sampleOf(preview.data.map(textsOf), schema);
  const { columns } = preview;
  const records = preview.data.map((cells) =>
    Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])),
  );
  return sampleOf(records, schema);
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value === null || value === undefined ? "" : String(value),
    ]),
  );
}

function sampleOf(records: Record<string, string>[], schema: Schema): Sample {
  const texts = records[0] ?? {};
  const values = Object.keys(schema).map((name) => [
    name,
    records.map((record) => record[name] ?? ""),
  ]);
  return { texts, row: rowOf(texts, schema), values: Object.fromEntries(values) };
}

export function useSample(model: Model) {
  return useQuery(
    queryOptions({
      queryKey: ["models", model.model_name, model.model_version, "sample", model.dataset_id],
      queryFn: () => readSample(model.dataset_id, model.input_schema ?? {}),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
}
