/** Turns the second factor off, by a code of it. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../api/client";
import { fieldError, formError } from "../api/problem";
import { CodeInput } from "../session/code-input";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";

interface TurnOffProps {
  isOpen: boolean;
  onClose: () => void;
}

export function TurnOff({ isOpen, onClose }: TurnOffProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Turn off the second factor">
      <CodeForm onDone={onClose} />
    </Modal>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState("");
  const queries = useQueryClient();
  const disable = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/auth/second-factor/disable", { body: { code: code.trim() } })),
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: ["security"] });
    },
  });
  const form = useFaultFocus(disable.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    disable.mutate();
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <Text>The password alone signs you in then, and the recovery codes are void.</Text>
        <CodeInput value={code} onChange={setCode} error={fieldError(disable.error, "code")} />
        <ProblemNote error={formError(disable.error, ["code"])} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={disable.isPending}>
            Turn off
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
