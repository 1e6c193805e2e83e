/** Predicts every row of a table, into a file to take away. */
import { Box, Button, Card, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldError } from "../../api/problem";
import { type Model, uploadQuery } from "../../api/queries";
import { ExportFiles } from "../../exports/export-files";
import { ProblemNote } from "../../ui/problem-note";
import { UploadPicker } from "../../uploads/picker";
import { UploadButton } from "../../uploads/upload-button";
import { UploadStatus } from "../../uploads/upload-status";
import { predictsNumber } from "../types";

export function BatchPredictions({ model }: { model: Model }) {
  const { scored } = useSearch({ from: "/models/$modelName" });
  return (
    <Stack>
      <BatchForm model={model} />
      {scored ? (
        <ExportFiles
          exportId={scored}
          kind="scoring"
          busy="Predicting."
          fault="The table was not predicted"
        />
      ) : null}
    </Stack>
  );
}

function BatchForm({ model }: { model: Model }) {
  const [uploadId, setUploadId] = useState<string | null>(null);
  const upload = useQuery({ ...uploadQuery(uploadId ?? ""), enabled: uploadId !== null });
  const isReady = upload.data?.status === "complete";
  const navigate = useNavigate({ from: "/models/$modelName" });
  const queries = useQueryClient();
  const { model_name, model_version } = model;
  const isNumber = predictsNumber(model);
  const start = useMutation({
    mutationFn: (upload_id: string) =>
      unwrap(
        api.POST("/models/{model_name}/{model_version}/score", {
          params: { path: { model_name, model_version } },
          body: { upload_id, format: "csv", include: [isNumber ? "interval" : "probabilities"] },
        }),
      ),
    onSuccess: async ({ export_id }) => {
      await navigate({
        search: (before) => ({ ...before, scored: export_id }),
        replace: true,
        resetScroll: false,
      });
      await queries.invalidateQueries({ queryKey: ["jobs"] });
    },
  });
  const choose = (chosen: string) => {
    start.reset();
    setUploadId(chosen);
  };
  const fault = fieldError(start.error, "upload_id");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (uploadId && isReady) start.mutate(uploadId);
  };
  return (
    <Card component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Predicts every row of a table with the same columns, with{" "}
          {isNumber ? "a prediction interval" : "the probability of each class"}. The table may lack
          the column to predict.
        </Text>
        <Group align="flex-end">
          <Box flex="1 1 240px" maw={420}>
            <UploadPicker label="Table" value={uploadId} onChange={choose} />
          </Box>
          <UploadButton onSent={choose} />
          <Button type="submit" loading={start.isPending} disabled={!isReady}>
            Predict every row
          </Button>
        </Group>
        {upload.data ? <UploadStatus upload={upload.data} /> : null}
        <ProblemNote error={fault ? new Error(fault) : start.error} />
      </Stack>
    </Card>
  );
}
