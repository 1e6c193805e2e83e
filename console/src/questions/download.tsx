/** Takes an answer away as CSV: all its rows, also those that are not shown. */
import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { plural } from "../ui/number-format";
import { saveFile } from "../ui/save-file";
import { csvOf } from "./csv";
import { hasRowsLeft } from "./row-count";
import { canFetchMore } from "./rows";
import type { Answer } from "./types";

interface DownloadProps {
  answer: Answer;
  fetchMore: () => Promise<Answer>;
}

export function Download({ answer, fetchMore }: DownloadProps) {
  const saved = useMutation({
    mutationFn: async () => {
      const whole = canFetchMore(answer) ? await fetchMore() : answer;
      saveFile(new Blob([csvOf(whole.columns, whole.rows)], { type: "text/csv" }), "answer.csv");
      return whole;
    },
  });
  const isCut = saved.data !== undefined && hasRowsLeft(saved.data);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={saved.isPending}
        onClick={() => saved.mutate()}
      >
        Download CSV
      </Button>
      {isCut ? (
        <Text size="sm" c="dimmed" role="status">
          The file has the first {plural(saved.data.row_count, "row")}.
        </Text>
      ) : null}
    </>
  );
}
