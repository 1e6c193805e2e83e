/** Asks before something is done that cannot be undone, or that others notice. */
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { WriteAccess } from "../session/write-access";
import { useFocusRestore } from "./focus-restore";
import { Name } from "./name";
import { ProblemNote } from "./problem-note";

interface ConfirmProps {
  label: string;
  title: string;
  children: ReactNode;
  act: () => Promise<unknown>;
  onDone: () => void;
  compact?: boolean;
  /** Red where something goes; another colour where it only changes. */
  color?: string;
  /** What must be typed first, where something in use would be gone. */
  typed?: string | undefined;
}

export function Confirm({
  label,
  title,
  children,
  act,
  onDone,
  compact = false,
  color = "red",
  typed,
}: ConfirmProps) {
  const [text, setText] = useState("");
  const [isOpen, { open, close }] = useDisclosure();
  const control = useRef<HTMLButtonElement>(null);
  useFocusRestore(control);
  const deed = useMutation({
    mutationFn: act,
    onSuccess: () => {
      close();
      onDone();
    },
  });
  return (
    <WriteAccess>
      <Button
        ref={control}
        variant="subtle"
        color={color}
        size={compact ? "compact-sm" : "sm"}
        {...(compact ? { "aria-label": nameOf(label, title) } : {})}
        onClick={() => {
          deed.reset();
          setText("");
          open();
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={<Name>{title}</Name>}>
        <Stack>
          <Text>{children}</Text>
          {typed ? (
            <TextInput
              label={`Type ${typed} to confirm`}
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : null}
          <ProblemNote error={deed.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button
              color={color}
              loading={deed.isPending}
              disabled={typed !== undefined && text.trim() !== typed}
              onClick={() => deed.mutate()}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </WriteAccess>
  );
}

/** Names a control of several alike: by its title, with what it shows, which speech calls it by. */
function nameOf(label: string, title: string) {
  const name = title.replace(/\?$/, "");
  return name.includes(label) ? name : `${label}: ${name}`;
}
