/** A new model: data, a sentence, the plan, the build. */
import { Anchor, Button, Card, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { api, unwrap } from "../../api/client";
import { fieldError, Problem } from "../../api/problem";
import { readyUploadsQuery, type Upload, uploadQuery } from "../../api/queries";
import { WriteAccess } from "../../session/write-access";
import { useDraft } from "../../ui/draft";
import { Loaded, Page } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import { isSubmitKey } from "../../ui/submit-keys";
import { NeedsData } from "../../uploads/needs-data";
import { UploadPicker } from "../../uploads/picker";
import { type BuildOptions, NO_OPTIONS, optionsFault, requestOptions } from "./build-options";
import { type ColumnTypes, remainingColumns, withoutColumn } from "./feature-selection";
import { NAME_PATTERN, nameFrom } from "./model-name";
import { OptionsForm } from "./options-form";
import { PlanCard } from "./plan-card";
import { type BuildRequest, usePlan } from "./use-plan";

export function NewModelPage() {
  const query = useQuery(readyUploadsQuery());
  return (
    <Page
      title="New model"
      about="Choose the data, say what you want to know, look at the plan, then build."
      above={{ to: "/models", label: "Models" }}
    >
      <Loaded query={query}>
        {({ uploads: [newest] }) =>
          newest ? (
            <BuildForm newest={newest} />
          ) : (
            <NeedsData>
              A model learns from a table that has the column you want to predict.
            </NeedsData>
          )
        }
      </Loaded>
    </Page>
  );
}

function BuildForm({ newest }: { newest: Upload }) {
  const { dataset } = useSearch({ from: "/new-model" });
  const [datasetId, setDatasetId, forgetDataset] = useDraft(
    `model.data.${dataset ?? ""}`,
    dataset ?? newest.upload_id,
  );
  const [intent, setIntent, forgetIntent] = useDraft("model.intent", "");
  const [target, setTarget, forgetTarget] = useDraft<string | null>("model.target", null);
  const [name, setName, forgetName] = useDraft("model.name", "");
  const modelName = name || nameFrom(intent);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [options, setOptions, forgetOptions] = useDraft("model.options", NO_OPTIONS);
  const [leftOut, setLeftOut] = useState<ColumnTypes>({});
  const plan = usePlan(modelName);
  const shown = plan.planned?.plan;
  const requestOf = (without: ColumnTypes): BuildRequest => ({
    intent,
    dataset_id: datasetId,
    target,
    ...requestOptions(options),
    input_schema: shown ? remainingColumns(shown, leftOut, without) : null,
  });
  const build = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/models/{model_name}", {
          params: { path: { model_name: modelName } },
          body: plan.planned
            ? { ...plan.planned.request, plan_id: plan.planned.plan.plan_id }
            : requestOf(leftOut),
        }),
      ),
    onSuccess: async () => {
      for (const forget of [forgetDataset, forgetIntent, forgetTarget, forgetName, forgetOptions])
        forget();
      await queries.invalidateQueries({ queryKey: ["jobs"] });
      await queries.invalidateQueries({ queryKey: ["models"] });
      await navigate({ to: "/models/$modelName", params: { modelName } });
    },
  });
  const startPlan = (without: ColumnTypes) => {
    build.reset(); // what was wrong with the plan before is not said of the next one
    plan.start(requestOf(without));
  };
  const planWithout = (without: ColumnTypes) => {
    setLeftOut(without);
    startPlan(without);
  };
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      plan.forget();
      build.reset();
      setLeftOut({});
      set(value);
    };
  };
  const mayPlan = isPlannable(intent, options);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (mayPlan) startPlan(leftOut);
  };
  const isNamed = NAME_PATTERN.test(modelName);
  return (
    <Stack>
      <Card component="form" onSubmit={submit}>
        <Stack>
          <UploadPicker
            label="Data"
            value={datasetId}
            onChange={change((id: string) => {
              setDatasetId(id);
              setTarget(null);
              setOptions(NO_OPTIONS);
            })}
          />
          <Textarea
            label="What should it predict?"
            placeholder="Predict whether a customer will churn"
            autosize
            minRows={2}
            required
            maxLength={2000}
            value={intent}
            onChange={(event) => change(setIntent)(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (isSubmitKey(event)) submit(event);
            }}
          />
          <Target datasetId={datasetId} value={target} onChange={change(setTarget)} />
          <OptionsForm datasetId={datasetId} value={options} onChange={change(setOptions)} />
          <TextInput
            label="Name"
            description="Optional; stands in the model’s address"
            placeholder={nameFrom(intent) || "churn"}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={
              modelName && !isNamed
                ? "Letters, digits, dots, dashes and underscores, starting with a letter or digit"
                : null
            }
          />
          <ProblemNote error={plan.error} />
          <Group>
            <Button
              type="submit"
              variant={shown ? "default" : "filled"}
              loading={plan.isPending}
              disabled={!mayPlan}
            >
              {shown ? "Plan again" : "See the plan"}
            </Button>
          </Group>
        </Stack>
      </Card>
      {shown || isPlanTimeout(plan.error) ? (
        <>
          {shown ? (
            <PlanCard
              plan={shown}
              choosing={{
                leftOut: Object.keys(leftOut),
                onLeaveOut: (column) =>
                  planWithout({ ...leftOut, [column]: shown.types[column] ?? "string" }),
                onUseAgain: (column) => planWithout(withoutColumn(leftOut, column)),
              }}
            />
          ) : null}
          <ProblemNote error={isStale(build.error) ? new Error(STALE) : build.error} />
          <WriteAccess>
            <Group>
              <Button
                size="md"
                onClick={() => build.mutate()}
                loading={build.isPending}
                disabled={!isNamed || plan.isPending}
              >
                Build {modelName}
              </Button>
            </Group>
          </WriteAccess>
        </>
      ) : null}
    </Stack>
  );
}

const isPlannable = (intent: string, options: BuildOptions) =>
  intent.trim() !== "" && optionsFault(options) === undefined;

/** A plan of a large table may take longer than a request may, which a build does not mind. */
const isPlanTimeout = (error: Error | null) => error instanceof Problem && error.status === 503;

/** The data has got a newer version since the plan was made. */
const isStale = (error: Error | null) => fieldError(error, "plan_id") !== undefined;
const STALE = "The data has changed since this plan was made. Plan again, then build.";

interface TargetProps {
  datasetId: string;
  value: string | null;
  onChange: (column: string | null) => void;
}

/** The column to predict, for sentences that leave it open. */
function Target({ datasetId, value, onChange }: TargetProps) {
  const [isShown, setShown] = useState(value !== null);
  const upload = useQuery({ ...uploadQuery(datasetId), enabled: isShown });
  if (!isShown) {
    return (
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setShown(true)}>
        Choose the column yourself
      </Anchor>
    );
  }
  const columns = upload.data?.files[0]?.column_info ?? [];
  return (
    <Select
      label="Column to predict"
      autoFocus={value === null}
      placeholder="Taken from the sentence"
      data={columns.map((column) => column.name)}
      limit={100}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  );
}
