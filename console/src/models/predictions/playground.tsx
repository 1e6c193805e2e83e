/** Tries a model on one row; the form begins with a real one. */
import {
  Anchor,
  Autocomplete,
  Box,
  Button,
  Card,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call } from "../../api/client";
import { fieldError } from "../../api/problem";
import type { Model } from "../../api/queries";
import { useDraft } from "../../ui/draft";
import { Name } from "../../ui/name";
import { whole } from "../../ui/number-format";
import { Loaded } from "../../ui/page";
import { ProblemNote } from "../../ui/problem-note";
import type { FieldType, Prediction } from "../types";
import { rowOf, suggestions } from "./form";
import { PredictionCard } from "./prediction-card";
import { type Sample, useSample } from "./sample";

export function Playground({ model }: { model: Model }) {
  const sample = useSample(model);
  return (
    <Loaded query={sample} height={640}>
      {(rows) => <PlaygroundForm model={model} sample={rows} />}
    </Loaded>
  );
}

/** More fields at once make a form that nobody fills in, and a slow one. */
const SHOWN = 60;

function PlaygroundForm({ model, sample }: { model: Model; sample: Sample }) {
  const schema = model.input_schema ?? {};
  const fields = Object.entries(schema);
  const [isWhole, setWhole] = useState(false);
  const name = `try.${model.model_name}.${model.model_version}.${model.dataset_id}`;
  const [texts, setTexts, restore] = useDraft(name, sample.texts);
  const ask = useMutation({
    mutationFn: () =>
      call<Prediction>(
        "POST",
        `/models/${model.model_name}/${model.model_version}/infer?include=probabilities,explanation,interval`,
        rowOf(texts, schema),
      ),
  });
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ask.data) answer.current?.scrollIntoView({ block: "nearest" });
  }, [ask.data]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: "start" }}>
      <Card component="form" onSubmit={submit} style={{ overflow: "clip" }}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            A row of the training data to begin with; change what you like. Empty means unknown.{" "}
            {texts === sample.texts ? null : (
              <Anchor component="button" type="button" size="sm" onClick={restore}>
                Reset
              </Anchor>
            )}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {(isWhole ? fields : fields.slice(0, SHOWN)).map(([name, type]) => (
              <Field
                key={name}
                name={name}
                type={type}
                value={texts[name] ?? ""}
                values={sample.values[name] ?? []}
                fault={fieldError(ask.error, name)}
                onChange={(text) => setTexts({ ...texts, [name]: text })}
              />
            ))}
          </SimpleGrid>
          {isWhole || fields.length <= SHOWN ? null : (
            <Button variant="subtle" onClick={() => setWhole(true)}>
              Show the other {whole(fields.length - SHOWN)}
            </Button>
          )}
          <Box
            pos="sticky"
            bottom={0}
            bg="var(--console-card)"
            py="md"
            mb="calc(-1 * var(--mantine-spacing-md))"
          >
            <Button type="submit" fullWidth loading={ask.isPending}>
              Predict
            </Button>
          </Box>
        </Stack>
      </Card>
      <Stack aria-live="polite" pos="sticky" top={24} ref={answer}>
        <ProblemNote error={ask.error} />
        {ask.data ? <PredictionCard prediction={ask.data} /> : <NoPrediction />}
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
  value: string;
  values: string[];
  fault: string | undefined;
  onChange: (text: string) => void;
}

function Field({ name, type, value, values, fault, onChange }: FieldProps) {
  if (type === "string" || type === "boolean") {
    return (
      <Autocomplete
        label={
          <Text span inherit lineClamp={3} title={name}>
            <Name>{name}</Name>
          </Text>
        }
        size="sm"
        value={value}
        error={fault}
        onChange={onChange}
        data={suggestions(values)}
        filter={({ options }) => options}
        comboboxProps={{ shadow: "md" }}
      />
    );
  }
  return (
    <TextInput
      label={
        <Text span inherit lineClamp={3} title={name}>
          <Name>{name}</Name>
        </Text>
      }
      size="sm"
      value={value}
      error={fault}
      inputMode={type === "date" ? "text" : "decimal"}
      placeholder={type === "date" ? "2026-01-31" : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
