/** Takes an answer away as CSV: all its rows, also those that are not shown. */
import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { save } from "../ui/save";
import { plural } from "../ui/words";
import { csvOf } from "./csv";
import { lacksRows } from "./extent";
import { hasMore } from "./rows";
import type { Answered } from "./shapes";

interface DownloadProps {
  answer: Answered;
  fetchMore: () => Promise<Answered>;
}

export function Download({ answer, fetchMore }: DownloadProps) {
  const saved = useMutation({
    mutationFn: async () => {
      const whole = hasMore(answer) ? await fetchMore() : answer;
      save(new Blob([csvOf(whole.columns, whole.rows)], { type: "text/csv" }), "answer.csv");
      return whole;
    },
  });
  const isCut = saved.data !== undefined && lacksRows(saved.data);
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
