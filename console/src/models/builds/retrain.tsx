/** Starts a new version of a model. */
import { Button, Group, Modal, Select, Stack, Text, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, type Schemas, unwrap } from "../../api/client";
import { cardQuery, type Model } from "../../api/queries";
import { WriteAccess } from "../../session/write-access";
import { useDraft } from "../../ui/draft";
import { ProblemNote } from "../../ui/problem-note";
import { UploadPicker } from "../../uploads/picker";
import { predictsNumber } from "../types";
import { type BuildOptions, NO_OPTIONS, optionsFault, requestOptions } from "./build-options";
import { OptionsForm } from "./options-form";

type Metric = NonNullable<Schemas["Retrain"]["metric"]>;

const FOR_CLASSES: Metric[] = [
  "accuracy",
  "balanced_accuracy",
  "f1",
  "roc_auc",
  "log_loss",
  "precision",
  "recall",
];
const FOR_NUMBERS: Metric[] = ["rmse", "mae", "r2"];

const LABELS: Record<Metric, string> = {
  accuracy: "Accuracy: more rows right",
  balanced_accuracy: "Balanced accuracy: rare classes count as much as frequent ones",
  f1: "F1: precision and recall in one",
  roc_auc: "ROC AUC: cases ranked better",
  log_loss: "Log loss: surer where it is right",
  precision: "Precision: fewer false alarms",
  recall: "Recall: fewer cases missed",
  rmse: "RMSE: fewer large misses",
  mae: "MAE: closer on average",
  r2: "R²: more of the differences explained",
};

export function Retrain({ model }: { model: Model }) {
  const [isOpen, { open, close }] = useDisclosure();
  const draft = `retrain.${model.model_name}`;
  const [goal, setGoal, forgetGoal] = useDraft(`${draft}.goal`, "");
  const [metric, setMetric, forgetMetric] = useDraft<Metric | null>(`${draft}.metric`, null);
  const [uploadId, setUploadId, forgetUpload] = useDraft<string | null>(`${draft}.data`, null);
  const [options, setOptions, forgetOptions] = useDraft<BuildOptions>(
    `${draft}.options`,
    NO_OPTIONS,
  );
  const card = useQuery({
    ...cardQuery(model.model_name, model.model_version),
    enabled: isOpen && model.status === "READY",
  });
  const datasetId = uploadId ?? card.data?.data.dataset_id;
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/models/{model_name}/retrain", {
          params: { path: { model_name: model.model_name } },
          body: {
            upload_id: uploadId,
            goal: goal.trim() || null,
            metric,
            ...requestOptions(options),
          },
        }),
      ),
    onSuccess: async () => {
      close();
      forgetGoal();
      forgetMetric();
      forgetUpload();
      forgetOptions();
      await queries.invalidateQueries({ queryKey: ["models"] });
      await queries.invalidateQueries({ queryKey: ["jobs"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  const fits = predictsNumber(model) ? FOR_NUMBERS : FOR_CLASSES;
  return (
    <WriteAccess>
      <Button variant="default" onClick={open}>
        Retrain
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Retrain ${model.name}`} size="lg">
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm" c="dimmed">
              The version in service stays there until you promote the new one.
            </Text>
            <UploadPicker
              label="Data"
              placeholder="The newest version of what it learnt from"
              value={uploadId}
              onChange={setUploadId}
              onClear={forgetUpload}
            />
            <Textarea
              label="Goal"
              data-autofocus
              description="Optional; replaces what it is for"
              placeholder={model.intent}
              autosize
              value={goal}
              onChange={(event) => setGoal(event.currentTarget.value)}
            />
            <Select
              label="Metric to optimise"
              description="Optional"
              placeholder="As before"
              clearable
              data={fits.map((value) => ({ value, label: LABELS[value] }))}
              value={metric}
              onChange={(chosen) => setMetric(fits.find((one) => one === chosen) ?? null)}
            />
            {datasetId ? (
              <OptionsForm
                datasetId={datasetId}
                value={options}
                onChange={setOptions}
                otherwise="As before"
              />
            ) : null}
            <ProblemNote error={start.error} />
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={start.isPending}
                disabled={optionsFault(options) !== undefined}
              >
                Retrain
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </WriteAccess>
  );
}
