/** Real rows of the data a model learnt from, to begin a form or a snippet with. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import type { Model } from "../../api/queries";
import { recordsOf, type TextRecord } from "../../uploads/records";
import { type Row, rowOf, type Schema } from "./form";

export interface Sample {
  texts: TextRecord;
  row: Row;
  values: Record<string, string[]>;
}

const ROWS = 100;

async function readSample(uploadId: string, schema: Schema): Promise<Sample> {
  const upload = await unwrap(
    api.GET("/uploads/{upload_id}", { params: { path: { upload_id: uploadId } } }),
  );
  const file = upload.files.find((candidate) => candidate.rows);
  if (!file) return sampleOf([], schema);
  const preview = await unwrap(
    api.GET("/data/uploads/{upload_id}/files/{filename}/preview", {
      params: { path: { upload_id: uploadId, filename: file.filename }, query: { limit: ROWS } },
    }),
  );
  return sampleOf(recordsOf(preview), schema);
}

function sampleOf(records: TextRecord[], schema: Schema): Sample {
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
