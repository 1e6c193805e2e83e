/** Asks the data: in words or in SQL, one question after the other. */
import { Button, Card, Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent, KeyboardEvent } from "react";
import type { Schemas } from "../api/client";
import { Problem } from "../api/problem";
import { readyUploadsQuery, type Upload } from "../api/queries";
import { useDraft } from "../ui/draft";
import { Loaded, Page } from "../ui/page";
import { isSubmitKey } from "../ui/submit-keys";
import { NeedsData } from "../uploads/needs-data";
import { AnswerCard } from "./answer-card";
import { DatasetPickers, idsOf, searchOf } from "./dataset-pickers";
import { History } from "./history";
import { openSession, uploadsOf } from "./open-session";
import { Refusal } from "./refusal";
import { runQuery } from "./rows";
import { SessionLimit } from "./session-limit";
import { Suggestions } from "./suggestions";
import { Tables } from "./tables";
import type { Answer, QueryType, Question } from "./types";

export function AskPage() {
  const query = useQuery(readyUploadsQuery());
  return (
    <Page title="Ask" about="Put a question to your data, in plain words or in SQL.">
      <Loaded query={query}>
        {({ uploads: [newest] }) =>
          newest ? (
            <DatasetSession newest={newest} />
          ) : (
            <NeedsData>Once a table is here, ask how many, how much, or for a chart.</NeedsData>
          )
        }
      </Loaded>
    </Page>
  );
}

function DatasetSession({ newest }: { newest: Upload }) {
  const { upload, with: others } = useSearch({ from: "/ask" });
  const navigate = useNavigate();
  const uploadIds = [upload ?? newest.upload_id, ...idsOf(others)];
  const session = useQuery({
    queryKey: ["session", ...uploadIds],
    queryFn: () => openSession(uploadIds),
    staleTime: 60_000,
  });
  const choose = (chosen: string[]) => void navigate({ to: "/ask", search: searchOf(chosen) });
  return (
    <>
      <DatasetPickers uploadIds={uploadIds} onChange={choose} />
      {session.error instanceof Problem && session.error.status === 409 ? (
        <SessionLimit />
      ) : session.error instanceof Problem && session.error.status === 404 ? (
        <Text c="dimmed">This table is no longer here; choose another.</Text>
      ) : (
        <Loaded query={session}>
          {(ready) => <Conversation key={ready.session_id} session={ready} />}
        </Loaded>
      )}
    </>
  );
}

interface Exchange {
  question: Question;
  answer: Answer;
}

function Conversation({ session }: { session: Schemas["SessionAnswer"] }) {
  const { session_id } = session;
  const uploadIds = uploadsOf(session);
  const [type, setType] = useDraft<QueryType>("ask.type", "natural_language");
  const [text, setText] = useDraft("ask.text", "");
  const queries = useQueryClient();
  const key = ["asked", ...uploadIds];
  const { data: asked = [] } = useQuery<Exchange[]>({ queryKey: key, queryFn: skipToken });
  const ask = useMutation({
    mutationFn: (question: Question) =>
      runQuery({
        query_type: question.type,
        query: question.text,
        session_id,
        ...(question.choiceId ? { choice_id: question.choiceId } : {}),
        ...(question.follows ? { follows: question.follows } : {}),
      }),
    onSuccess: (answer, question) =>
      queries.setQueryData<Exchange[]>(key, (before = []) => [{ question, answer }, ...before]),
    onSettled: () => queries.invalidateQueries({ queryKey: ["history", session_id] }),
  });
  const put = (question: Question) => {
    setType(question.type);
    setText(question.text);
    ask.mutate(question);
  };
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (text.trim() && !ask.isPending) ask.mutate({ type, text });
  };
  const followUp = (text: string, answer: Answer) =>
    ask.mutate({ type: "natural_language", text, follows: answer.query_id });
  const refused = ask.isError ? ask.variables : undefined;
  const [last] = asked;
  const before =
    refused && last && canFollow(refused, last)
      ? { text: last.question.text, onFollowUp: () => followUp(refused.text, last.answer) }
      : undefined;
  return (
    <Stack gap="lg">
      <Card component="form" onSubmit={submit}>
        <Stack gap="sm">
          <Group justify="space-between">
            <SegmentedControl
              value={type}
              onChange={(chosen) => setType(chosen === "sql" ? "sql" : "natural_language")}
              data={[
                { value: "natural_language", label: "In words" },
                { value: "sql", label: "SQL" },
              ]}
              aria-label="Language of the question"
            />
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {type === "sql" ? "Ctrl + Enter asks" : "Enter asks, Shift + Enter begins a line"}
            </Text>
          </Group>
          <Textarea
            aria-label="Question"
            placeholder={type === "sql" ? sqlExample(session) : "How many rows are there?"}
            autosize
            minRows={type === "sql" ? 4 : 2}
            value={text}
            spellCheck={type !== "sql"}
            styles={type === "sql" ? { input: { fontFamily: "monospace", fontSize: 14 } } : {}}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (isSubmitKey(event, type === "sql")) submit(event);
            }}
          />
          <Group>
            <Button type="submit" loading={ask.isPending} disabled={!text.trim()}>
              Ask
            </Button>
          </Group>
          <Tables tables={session.tables} />
        </Stack>
      </Card>
      {asked.length === 0 && ask.isIdle ? (
        <Suggestions uploadId={session.upload_id} onAsk={put} />
      ) : null}
      <Refusal
        error={ask.error}
        onAsk={put}
        onChoose={(choiceId) => ask.variables && ask.mutate({ ...ask.variables, choiceId })}
        before={before}
      />
      <Stack gap="lg" aria-live="polite">
        {asked.map(({ question, answer }) => (
          <AnswerCard
            key={answer.query_id}
            question={question}
            answer={answer}
            onFollowUp={(text) => followUp(text, answer)}
            onEdit={(sql) => {
              setType("sql");
              setText(sql);
              globalThis.scrollTo({ top: 0 });
            }}
          />
        ))}
      </Stack>
      <History sessionId={session_id} onAsk={put} />
    </Stack>
  );
}

/** Whether a question that stood alone may go on from the last one: both are in words. */
const canFollow = (refused: Question, { question }: Exchange) =>
  refused.type === "natural_language" &&
  question.type === "natural_language" &&
  refused.follows === undefined;

function sqlExample({ tables }: Schemas["SessionAnswer"]): string {
  return `SELECT * FROM "${tables[0]?.table ?? "table"}" LIMIT 10`;
}
