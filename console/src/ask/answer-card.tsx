/** An answer: what was understood, the table or chart, and the SQL behind it. */
import { Button, Card, Collapse, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Grid } from "../ui/grid";
import { Pager } from "../ui/pager";
import { usePart } from "../ui/part";
import { ProblemNote } from "../ui/problem-note";
import { Snippet } from "../ui/snippet";
import { milliseconds, rounded, tellsYears } from "../ui/words";
import { Chart } from "./charts/chart";
import { drawnOf } from "./charts/drawn";
import { Download } from "./download";
import { extent } from "./extent";
import { everyRow, hasMore } from "./rows";
import type { Answered, Question } from "./shapes";
import { Verify } from "./verify";

const ROWS = 100;

interface AnswerCardProps {
  question: Question;
  answer: Answered;
  onEdit: (sql: string) => void;
}

export function AnswerCard({ question, answer, onEdit }: AnswerCardProps) {
  const drawn = drawnOf(answer);
  const [view, setView] = useState(answer.result_type === "visualization" ? "chart" : "table");
  const isChart = view === "chart";
  const more = useMutation({ mutationFn: () => everyRow(answer) });
  const whole = more.data ?? answer;
  const isInWords = question.type === "natural_language";
  return (
    <Card component="article">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <div className="long">
            {isInWords ? <Text fw={650}>{question.text}</Text> : null}
            {answer.interpretation ? (
              <Text size="sm" c="dimmed">
                {answer.interpretation}
              </Text>
            ) : null}
          </div>
          {drawn ? (
            <SegmentedControl
              size="xs"
              flex="none"
              value={view}
              onChange={setView}
              data={[
                { value: "chart", label: "Chart" },
                { value: "table", label: "Table" },
              ]}
              aria-label="Show as"
            />
          ) : null}
        </Group>
        {isChart && drawn ? <Chart answer={drawn} /> : <Table answer={whole} />}
        <Group gap="xs">
          <Text size="sm" c="dimmed" className="number" role="status">
            {extent(isChart ? answer : whole, isChart)} · {milliseconds(answer.execution_time_ms)}
          </Text>
          {!isChart && hasMore(whole) ? (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={more.isPending}
              onClick={() => more.mutate()}
            >
              Show more rows
            </Button>
          ) : null}
          <ProblemNote error={more.error} />
        </Group>
        <Behind answer={answer} isInWords={isInWords} onEdit={onEdit}>
          <Download answer={whole} fetchMore={more.mutateAsync} />
        </Behind>
      </Stack>
    </Card>
  );
}

function Table({ answer: { columns, rows } }: { answer: Answered }) {
  const { part, pager } = usePart(rows, ROWS);
  const only = rows.length === 1 && columns.length === 1 ? rows[0]?.[0] : undefined;
  if (typeof only === "number" || typeof only === "string") {
    return (
      <Text fz={34} fw={700} lh={1.2} className="number">
        {typeof only === "number" ? spelt(only, columns[0] ?? "") : only}
      </Text>
    );
  }
  return (
    <>
      <Grid
        columns={columns}
        rows={part}
        offset={pager.pagination.offset}
        isNumber={(_, index) =>
          typeof rows.find((row) => row[index] !== null)?.[index] === "number"
        }
      />
      <Pager {...pager} />
    </>
  );
}

/** The server calls shares of a hundred so. */
const spelt = (value: number, column: string) =>
  `${rounded(value, !tellsYears(column))}${column === "percent" ? "%" : ""}`;

interface BehindProps {
  answer: Answered;
  isInWords: boolean;
  onEdit: (sql: string) => void;
  children: ReactNode;
}

function Behind({ answer, isInWords, onEdit, children }: BehindProps) {
  const [isOpen, { toggle }] = useDisclosure(!isInWords);
  return (
    <>
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isOpen}>
          {isOpen ? "Hide SQL" : "Show SQL"}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onEdit(answer.generated_sql)}>
          Edit SQL
        </Button>
        {children}
        {isInWords ? <Verify answer={answer} /> : null}
      </Group>
      <Collapse expanded={isOpen}>
        <Snippet text={answer.generated_sql} label="Copy the SQL" />
      </Collapse>
    </>
  );
}
