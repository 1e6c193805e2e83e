/** Takes an answer away as CSV: all its rows, also those that are not shown. */
import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { call } from "../api/client";
import { ProblemNote } from "../ui/problem-note";
import { save } from "../ui/save";
import { plural } from "../ui/words";
import { csvOf } from "./csv";
import { lacksRows } from "./extent";
import type { Answered } from "./shapes";

const MOST_ROWS = 10_000;

export function Download({ answer }: { answer: Answered }) {
  const fetched = useMutation({
    mutationFn: async () => {
      const whole = lacksRows(answer) ? await everyRow(answer) : answer;
      save(new Blob([csvOf(whole.columns, whole.rows)], { type: "text/csv" }), "answer.csv");
      return whole;
    },
  });
  const isCut = fetched.data !== undefined && lacksRows(fetched.data);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={fetched.isPending}
        onClick={() => fetched.mutate()}
      >
        Download CSV
      </Button>
      {isCut ? (
        <Text size="sm" c="dimmed" role="status">
          The file has the first {plural(fetched.data.row_count, "row")}.
        </Text>
      ) : null}
      <ProblemNote error={fetched.error} />
    </>
  );
}

function everyRow({ session_id, generated_sql }: Answered): Promise<Answered> {
  return call<Answered>("POST", "/data/query", {
    query_type: "sql",
    query: generated_sql,
    session_id,
    max_results: MOST_ROWS,
  });
}
