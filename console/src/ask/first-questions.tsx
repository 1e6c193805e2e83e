/** What a table could be asked first. */
import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { uploadQuery } from "../api/queries";
import { examples } from "./examples";
import type { Question } from "./shapes";

interface FirstQuestionsProps {
  uploadId: string;
  onAsk: (question: Question) => void;
}

export function FirstQuestions({ uploadId, onAsk }: FirstQuestionsProps) {
  const upload = useQuery(uploadQuery(uploadId));
  const columns = upload.data?.files[0]?.column_info ?? [];
  if (columns.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        For example
      </Text>
      <Questions texts={examples(columns)} onAsk={onAsk} />
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
