/** Predicts every row of a table, into a file to take away. */
import { Alert, Box, Button, Card, Group, Loader, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, taken } from "../api/client";
import { exportQuery, type Model } from "../api/queries";
import { LinkAnchor } from "../ui/links";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { bytes } from "../ui/words";
import { UploadPicker } from "../uploads/picker";
import { predictsNumber } from "./shapes";

export function Score({ model }: { model: Model }) {
  const { scored } = useSearch({ from: "/models/$modelName" });
  return (
    <Stack>
      <Choice model={model} />
      {scored ? <Scored exportId={scored} /> : null}
    </Stack>
  );
}

function Choice({ model }: { model: Model }) {
  const [uploadId, setUploadId] = useState<string | null>(null);
  const navigate = useNavigate({ from: "/models/$modelName" });
  const queries = useQueryClient();
  const { model_name, model_version } = model;
  const isNumber = predictsNumber(model);
  const start = useMutation({
    mutationFn: (upload_id: string) =>
      taken(
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (uploadId) start.mutate(uploadId);
  };
  return (
    <Card component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Answers every row of a table with the same columns, and how{" "}
          {isNumber ? "far off each answer may be" : "sure each answer is"}.{" "}
          <LinkAnchor to="/uploads" size="sm" underline="always">
            Upload the table
          </LinkAnchor>{" "}
          first; it may lack the column to predict.
        </Text>
        <Group align="flex-end">
          <Box flex="1 1 240px" maw={420}>
            <UploadPicker label="Table" value={uploadId} onChange={setUploadId} />
          </Box>
          <Button type="submit" loading={start.isPending} disabled={!uploadId}>
            Predict every row
          </Button>
        </Group>
        <ProblemNote error={start.error} />
      </Stack>
    </Card>
  );
}

function Scored({ exportId }: { exportId: string }) {
  const query = useQuery(exportQuery(exportId));
  return (
    <Loaded query={query} height={60}>
      {({ status, files, error }) => {
        if (status === "processing") {
          return (
            <Alert icon={<Loader size={18} />} role="status">
              Predicting. This page follows by itself.
            </Alert>
          );
        }
        if (error) return <ProblemNote error={new Error(error)} title="It was not predicted" />;
        return (
          <Card component="section" aria-label="Predictions">
            <Stack gap="sm">
              {files.map((file) => (
                <Group key={file.filename} justify="space-between">
                  <Text fw={600} className="long">
                    {file.filename}
                  </Text>
                  <Group gap="sm">
                    <Text size="sm" c="dimmed" className="number">
                      {bytes(file.size_bytes)}, here until{" "}
                      {new Date(file.expires_at).toLocaleDateString()}
                    </Text>
                    <Button
                      component="a"
                      href={file.download_url}
                      variant="default"
                      leftSection={<IconDownload size={16} aria-hidden />}
                    >
                      Download
                    </Button>
                  </Group>
                </Group>
              ))}
            </Stack>
          </Card>
        );
      }}
    </Loaded>
  );
}
