/** An answer: what was understood, the table or chart, and the SQL behind it. */
import {
  Alert,
  Box,
  Button,
  Card,
  Collapse,
  Group,
  SegmentedControl,
  Stack,
  Text,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { inConsoleTerms } from "../api/console-terms";
import { Grid } from "../ui/grid";
import { rounded, tellsYears } from "../ui/number-format";
import { usePagedList } from "../ui/paged-list";
import { Pager } from "../ui/pager";
import { ProblemNote } from "../ui/problem-note";
import { Snippet } from "../ui/snippet";
import { milliseconds } from "../ui/time-format";
import { Chart } from "./charts/chart";
import { chartOf } from "./charts/chartable";
import { Download } from "./download";
import { FollowUp } from "./follow-up";
import { rowCountText } from "./row-count";
import { canFetchMore, fetchAllRows } from "./rows";
import type { Answer, Question } from "./types";
import { Verify } from "./verify";

const ROWS = 100;

interface AnswerCardProps {
  question: Question;
  answer: Answer;
  onEdit: (sql: string) => void;
  onFollowUp: (text: string) => void;
}

export function AnswerCard({ question, answer, onEdit, onFollowUp }: AnswerCardProps) {
  const drawn = chartOf(answer);
  const [view, setView] = useState(answer.result_type === "visualization" ? "chart" : "table");
  const isChart = view === "chart";
  const more = useMutation({ mutationFn: () => fetchAllRows(answer) });
  const whole = more.data ?? answer;
  const isInWords = question.type === "natural_language";
  return (
    <Card component="article">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Box className="long" flex="1 1 260px">
            {isInWords ? <Text fw={650}>{question.text}</Text> : null}
            {question.follows && answer.question && answer.question !== question.text ? (
              <Text size="sm">Read as: {answer.question}</Text>
            ) : null}
            {answer.interpretation ? (
              <Text size="sm" c="dimmed">
                {answer.interpretation}
              </Text>
            ) : null}
          </Box>
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
        {isChart && drawn ? (
          <Chart answer={drawn} />
        ) : (
          <Table answer={{ ...whole, units: answer.units ?? null }} />
        )}
        <Group gap="xs">
          <Text size="sm" c="dimmed" className="number" role="status">
            {rowCountText(isChart ? answer : whole, isChart)} ·{" "}
            {milliseconds(answer.execution_time_ms)}
          </Text>
          {!isChart && canFetchMore(whole) ? (
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
        <Doubts warnings={answer.warnings ?? []} />
        <AnswerDetails answer={answer} isInWords={isInWords} onEdit={onEdit}>
          <Download answer={whole} fetchMore={more.mutateAsync} />
        </AnswerDetails>
        {isInWords ? <FollowUp onAsk={onFollowUp} /> : null}
      </Stack>
    </Card>
  );
}

/** What may be otherwise than it was meant. */
function Doubts({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} py="xs" role="note">
      {warnings.map((warning) => (
        <Text key={warning} size="sm" className="long">
          {inConsoleTerms(warning)}
        </Text>
      ))}
    </Alert>
  );
}

function Table({ answer: { columns, units, rows } }: { answer: Answer }) {
  const { part, pager } = usePagedList(rows, ROWS);
  const only = rows.length === 1 && columns.length === 1 ? rows[0]?.[0] : undefined;
  if (typeof only === "number" || typeof only === "string") {
    return (
      <Text fz={34} fw={700} lh={1.2} className="number">
        {typeof only === "number" ? spelt(only, columns[0] ?? "", units?.[0]) : only}
      </Text>
    );
  }
  return (
    <>
      <Grid
        columns={columns}
        units={units ?? []}
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

function spelt(value: number, column: string, unit = "") {
  const number = rounded(value, !tellsYears(column));
  return `${number}${unit === "" || unit === "%" ? unit : ` ${unit}`}`;
}

interface AnswerDetailsProps {
  answer: Answer;
  isInWords: boolean;
  onEdit: (sql: string) => void;
  children: ReactNode;
}

function AnswerDetails({ answer, isInWords, onEdit, children }: AnswerDetailsProps) {
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
