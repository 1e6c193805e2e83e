/** Takes what turned out to be so, one answer at a time or as a file. */
import {
  Alert,
  Autocomplete,
  Button,
  Card,
  Code,
  FileButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import {
  type UseMutationResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { describeQuery } from "../api/queries";
import type { FieldType } from "../models/types";
import { WriteAccess } from "../session/write-access";
import { plural } from "../ui/number-format";
import { ProblemNote } from "../ui/problem-note";
import {
  type FeedbackSummary,
  type Outcome,
  parseOutcome,
  parseOutcomes,
  sendFeedback,
} from "./feedback-csv";

interface TellProps {
  modelName: string;
  version: string;
  /** The classes it answers with; none where it answers with numbers. */
  answers: string[];
}

type Read = () => Outcome[] | Promise<Outcome[]>;
type FeedbackMutation = UseMutationResult<FeedbackSummary, Error, Read>;

export function FeedbackForm({ modelName, version, answers }: TellProps) {
  const description = useQuery(describeQuery(modelName, version));
  const [way, setWay] = useState("one");
  const queries = useQueryClient();
  const telling = useMutation({
    mutationFn: async (read: Read) => sendFeedback(modelName, version, await read()),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["models", modelName, version] }),
  });
  const [target, type] = Object.entries(description.data?.output_schema ?? {})[0] ?? [];
  if (!(target && type)) return null;
  return (
    <WriteAccess>
      <Card component="section" aria-label="Record outcomes">
        <Stack gap="md">
          <Group justify="space-between" align="flex-start">
            <div>
              <Title order={2} fz="lg">
                Record outcomes
              </Title>
              <Text size="sm" c="dimmed">
                Each prediction has a request id; record what {target} turned out to be once you
                know.
              </Text>
            </div>
            <SegmentedControl
              size="xs"
              value={way}
              onChange={(chosen) => {
                telling.reset();
                setWay(chosen);
              }}
              data={[
                { value: "one", label: "One" },
                { value: "file", label: "A file" },
              ]}
              aria-label="How to record"
            />
          </Group>
          {way === "one" ? (
            <SingleOutcome target={target} type={type} answers={answers} telling={telling} />
          ) : (
            <OutcomesFile target={target} type={type} telling={telling} />
          )}
          <ProblemNote error={telling.error} />
          {telling.data ? <FeedbackResult told={telling.data} /> : null}
        </Stack>
      </Card>
    </WriteAccess>
  );
}

interface OutcomeProps {
  target: string;
  type: FieldType;
  telling: FeedbackMutation;
}

function SingleOutcome({ target, type, answers, telling }: OutcomeProps & { answers: string[] }) {
  const [requestId, setRequestId] = useState("");
  const [actual, setActual] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    telling.mutate(() => [parseOutcome(requestId, actual.trim(), type)]);
  };
  return (
    <Group component="form" align="flex-end" onSubmit={submit}>
      <TextInput
        label="Request id"
        placeholder="req_…"
        required
        flex="2 1 260px"
        value={requestId}
        onChange={(event) => setRequestId(event.currentTarget.value)}
      />
      <Autocomplete
        label={target}
        required
        flex="1 1 140px"
        data={answers}
        value={actual}
        onChange={setActual}
      />
      <Button
        type="submit"
        loading={telling.isPending}
        disabled={!(requestId.trim() && actual.trim())}
      >
        Record
      </Button>
    </Group>
  );
}

function OutcomesFile({ target, type, telling }: OutcomeProps) {
  const take = (file: File | null) => {
    if (file) telling.mutate(async () => parseOutcomes(await file.text(), type, target));
  };
  return (
    <Group justify="space-between">
      <Text size="sm">
        A CSV with the columns <Code>request_id</Code> and <Code>{target}</Code>, or{" "}
        <Code>actual</Code>.
      </Text>
      <FileButton onChange={take} accept=".csv,.tsv,.txt,text/csv">
        {(props) => (
          <Button {...props} variant="default" loading={telling.isPending}>
            Choose a file
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

const MAX_IDS_SHOWN = 3;

function FeedbackResult({ told: { accepted, unknown } }: { told: FeedbackSummary }) {
  return (
    <Alert color={unknown.length > 0 ? "yellow" : "teal"} role="status">
      {accepted > 0 ? `${plural(accepted, "outcome")} recorded. ` : ""}
      {unknown.length > 0
        ? `For ${plural(unknown.length, "request")} no prediction is known (${unknown.slice(0, MAX_IDS_SHOWN).join(", ")}${unknown.length > MAX_IDS_SHOWN ? ", …" : ""}): it is mistyped, too old, or of another version.`
        : null}
    </Alert>
  );
}
