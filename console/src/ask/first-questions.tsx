/** What a table could be asked first. */
import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { previewQuery, uploadQuery } from "../api/queries";
import { recordsOf } from "../uploads/records";
import { examples } from "./examples";
import type { Question } from "./shapes";

interface FirstQuestionsProps {
  uploadId: string;
  onAsk: (question: Question) => void;
}

/** What the first rows hold tells which columns are worth a question. */
const ROWS = 100;

export function FirstQuestions({ uploadId, onAsk }: FirstQuestionsProps) {
  const upload = useQuery(uploadQuery(uploadId));
  const { filename = "", column_info: columns } = upload.data?.files[0] ?? {};
  const preview = useQuery({
    ...previewQuery(uploadId, filename, 0, ROWS),
    enabled: filename !== "",
  });
  if (!(columns && preview.data)) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        For example
      </Text>
      <Questions texts={examples(columns, recordsOf(preview.data))} onAsk={onAsk} />
    </Group>
  );
}

interface QuestionsProps {
  texts: string[];
  onAsk: (question: Question) => void;
}

/** Questions to ask with one click. */
export function Questions({ texts, onAsk }: QuestionsProps) {
  return texts.map((text) => (
    <Button
      key={text}
      variant="light"
      size="xs"
      maw="100%"
      h="auto"
      py={5}
      styles={{ label: { whiteSpace: "normal", textAlign: "start", lineHeight: 1.4 } }}
      onClick={() => onAsk({ type: "natural_language", text })}
    >
      {text}
    </Button>
  ));
}
