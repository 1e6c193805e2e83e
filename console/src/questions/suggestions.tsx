/** What a table could be asked first. */
import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { previewQuery, uploadQuery } from "../api/queries";
import { recordsOf } from "../uploads/records";
import { examples } from "./examples";
import type { Question } from "./types";

interface SuggestionsProps {
  uploadId: string;
  onAsk: (question: Question) => void;
}

/** What the first rows hold tells which columns are worth a question. */
const ROWS = 100;

export function Suggestions({ uploadId, onAsk }: SuggestionsProps) {
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
      <QuestionButtons texts={examples(columns, recordsOf(preview.data))} onAsk={onAsk} />
    </Group>
  );
}

interface QuestionButtonsProps {
  texts: string[];
  onAsk: (question: Question) => void;
}

/** Questions to ask with one click. */
export function QuestionButtons({ texts, onAsk }: QuestionButtonsProps) {
  return texts.map((text) => (
    <Suggested key={text} onClick={() => onAsk({ type: "natural_language", text })}>
      {text}
    </Suggested>
  ));
}

/** A button of any length of text. */
export function Suggested({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      variant="light"
      size="xs"
      maw="100%"
      h="auto"
      py={5}
      styles={{ label: { whiteSpace: "normal", textAlign: "start", lineHeight: 1.4 } }}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
