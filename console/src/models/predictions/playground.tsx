/** Tries a model on one row; the form begins with a real one. */
import {
  Anchor,
  Autocomplete,
  Box,
  Button,
  Card,
  SimpleGrid,
  Slider,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call, type Schemas } from "../../api/client";
import { fieldError } from "../../api/problem";
import type { Model } from "../../api/queries";
import { useDraft } from "../../ui/draft";
import { Name } from "../../ui/name";
import { decimal, whole } from "../../ui/number-format";
import { Loaded } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import type { TextRecord } from "../../uploads/records";
import type { FieldType, Prediction } from "../types";
import { rowOf, type Schema, suggestions } from "./form";
import { PredictionCard } from "./prediction-card";
import { type Sample, useSample } from "./sample";

type Domain = Schemas["InputDomain"];

interface PlaygroundProps {
  model: Model;
  /** What training had of each input; empty for versions that were built before it was kept. */
  inputs: Record<string, Domain>;
}

export function Playground({ model, inputs }: PlaygroundProps) {
  const sample = useSample(model);
  return (
    <Loaded query={sample} height={640}>
      {(rows) => <PlaygroundForm model={model} inputs={inputs} sample={rows} />}
    </Loaded>
  );
}

/** More fields at once make a form that nobody fills in, and a slow one. */
const MAX_FIELDS_SHOWN = 60;
/** How long typing rests before the prediction follows it. */
const WHAT_IF_PAUSE_MS = 300;

interface Answered {
  texts: TextRecord;
  prediction: Prediction;
}

/** Predicts what is typed; once something was predicted, every change is, and older answers never show. */
function usePrediction(model: Model, schema: Schema) {
  const [answered, setAnswered] = useState<Answered>();
  const newest = useRef<TextRecord>(undefined);
  const ask = useMutation({
    mutationFn: (texts: TextRecord) => {
      newest.current = texts;
      const path = `/models/${model.model_name}/${model.model_version}/infer`;
      const include = "probabilities,explanation,interval,warnings";
      return call<Prediction>("POST", `${path}?include=${include}`, rowOf(texts, schema));
    },
    onSuccess: (prediction, texts) => {
      if (newest.current === texts) setAnswered({ texts, prediction });
    },
  });
  const follow = useDebouncedCallback((texts: TextRecord) => ask.mutate(texts), WHAT_IF_PAUSE_MS);
  return { ask, answered, follow };
}

function PlaygroundForm({ model, inputs, sample }: PlaygroundProps & { sample: Sample }) {
  const schema = model.input_schema ?? {};
  const fields = Object.entries(schema);
  const [isWhole, setWhole] = useState(false);
  const name = `try.${model.model_name}.${model.model_version}.${model.dataset_id}`;
  const [texts, setTexts, restore] = useDraft(name, sample.texts);
  const { ask, answered, follow } = usePrediction(model, schema);
  const change = (next: TextRecord) => {
    setTexts(next);
    if (answered) follow(next);
  };
  const isStale = answered !== undefined && answered.texts !== texts;
  const warnings = isStale ? [] : (answered?.prediction.warnings ?? []);
  const answer = useRef<HTMLDivElement>(null);
  const isAnswered = answered !== undefined;
  useEffect(() => {
    if (isAnswered) answer.current?.scrollIntoView({ block: "nearest" });
  }, [isAnswered]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate(texts);
  };
  const isRequired = (name: string) => inputs[name]?.required ?? false;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }}>
      <Card component="form" onSubmit={submit} noValidate style={{ overflow: "clip" }}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            A row of the training data to begin with; change what you like.{" "}
            {fields.some(([name]) => isRequired(name))
              ? "Fields with * are required; the others may be empty, which means unknown. "
              : null}
            {texts === sample.texts ? null : (
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => {
                  restore();
                  if (answered) follow(sample.texts);
                }}
              >
                Reset
              </Anchor>
            )}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {(isWhole ? fields : fields.slice(0, MAX_FIELDS_SHOWN)).map(([name, type]) => (
              <Field
                key={name}
                name={name}
                type={type}
                domain={inputs[name]}
                value={texts[name] ?? ""}
                values={sample.values[name] ?? []}
                fault={fieldError(ask.error, name)}
                warning={warnings.find(({ field }) => field === name)?.message}
                onChange={(text) => change({ ...texts, [name]: text })}
              />
            ))}
          </SimpleGrid>
          {isWhole || fields.length <= MAX_FIELDS_SHOWN ? null : (
            <Button variant="subtle" onClick={() => setWhole(true)}>
              Show the other {whole(fields.length - MAX_FIELDS_SHOWN)}
            </Button>
          )}
          <Box
            pos="sticky"
            bottom={0}
            bg="var(--console-card)"
            py="md"
            mb="calc(-1 * var(--mantine-spacing-md))"
            style={{ zIndex: 4 }} // above the thumbs of sliders
          >
            <Button type="submit" fullWidth loading={ask.isPending && !answered}>
              Predict
            </Button>
          </Box>
        </Stack>
      </Card>
      <Stack aria-live="polite" pos="sticky" top={24} ref={answer}>
        <ProblemNote error={ask.error} />
        {answered ? (
          <Box opacity={isStale ? 0.45 : 1} aria-busy={isStale} data-stale={isStale || undefined}>
            <PredictionCard prediction={answered.prediction} />
          </Box>
        ) : (
          <NoPrediction />
        )}
      </Stack>
    </SimpleGrid>
  );
}

function NoPrediction() {
  return (
    <Card bg="transparent" style={{ borderStyle: "dashed" }} visibleFrom="md">
      <Title order={2} fz="md" c="dimmed" fw={500}>
        The prediction appears here.
      </Title>
    </Card>
  );
}

interface FieldProps {
  name: string;
  type: FieldType;
  domain: Domain | undefined;
  value: string;
  values: string[];
  fault: string | undefined;
  /** How the value is unlike the training data. */
  warning: string | undefined;
  onChange: (text: string) => void;
}

/** One input of a row, with the unit that it is in. */
export function Field({ name, type, domain, value, values, fault, warning, onChange }: FieldProps) {
  const isRequired = domain?.required ?? false;
  const label = (
    <Text span inherit lineClamp={3} title={name}>
      <Name>{name}</Name>
      {domain?.unit ? (
        <Text span inherit c="dimmed">
          {` (${domain.unit})`}
        </Text>
      ) : null}
      {isRequired ? (
        <Text span c="red" aria-hidden>
          {" "}
          *
        </Text>
      ) : null}
    </Text>
  );
  const shared = {
    label,
    "aria-required": isRequired,
    size: "sm",
    value,
    error: fault,
  } as const;
  const { low, high } = domain ?? {};
  const hasRange = typeof low === "number" && typeof high === "number" && low < high;
  return (
    <div>
      {type === "string" || type === "boolean" ? (
        <Autocomplete
          {...shared}
          onChange={onChange}
          data={domain?.values ?? suggestions(values)}
          filter={({ options }) => options}
          comboboxProps={{ shadow: "md" }}
        />
      ) : (
        <TextInput
          {...shared}
          inputMode={type === "date" ? "text" : "decimal"}
          placeholder={type === "date" ? "2026-01-31" : ""}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {warning ? (
        <Text size="xs" c="var(--console-warning)" mt={4} role="status">
          {warning.charAt(0).toUpperCase() + warning.slice(1)}
        </Text>
      ) : null}
      {hasRange && type !== "boolean" ? (
        <Range
          name={name}
          low={low}
          high={high}
          isWhole={type === "integer"}
          value={value}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

interface RangeProps {
  name: string;
  low: number;
  high: number;
  isWhole: boolean;
  value: string;
  onChange: (text: string) => void;
}

/** Steps of a slider over a range of fractions. */
const STEPS = 200;

/** Slides over what training had; a value outside stands at the nearer end. */
function Range({ name, low, high, isWhole, value, onChange }: RangeProps) {
  const number = Number(value);
  const step = isWhole ? 1 : Number(((high - low) / STEPS).toPrecision(2));
  return (
    <Slider
      mt={8}
      size="xs"
      thumbSize={14}
      label={null}
      min={low}
      max={high}
      step={step}
      value={
        Number.isFinite(number) && value.trim() !== "" ? Math.min(high, Math.max(low, number)) : low
      }
      onChange={(chosen) => onChange(String(Number(chosen.toPrecision(12))))}
      thumbLabel={`${name}, from ${decimal(low)} to ${decimal(high)}`}
    />
  );
}
