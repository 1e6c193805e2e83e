/** Goes on from an answer: what is said is read together with the question that was answered. */
import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";

interface FollowUpProps {
  onAsk: (text: string) => void;
}

export function FollowUp({ onAsk }: FollowUpProps) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    onAsk(text.trim());
    setText("");
  };
  return (
    <Group component="form" gap="xs" onSubmit={submit}>
      <TextInput
        aria-label="Follow-up question"
        placeholder="Follow up: “only those of 2024”, “by city instead”"
        size="xs"
        flex="1 1 240px"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={!text.trim()}>
        Follow up
      </Button>
    </Group>
  );
}
