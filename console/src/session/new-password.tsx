/** Changes the password of who is signed in. */
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Tooltip,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLock } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldError, formError } from "../api/problem";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";
import { changePassword } from "./auth";

const TITLE = "Change the password";
const MIN_LENGTH = 10;

export function ChangePassword() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Tooltip label={TITLE}>
        <ActionIcon variant="subtle" color="gray" aria-label={TITLE} onClick={open}>
          <IconLock size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal opened={isOpen} onClose={close} title={TITLE}>
        <ChangePasswordForm onDone={close} />
      </Modal>
    </>
  );
}

function ChangePasswordForm({ onDone }: { onDone: () => void }) {
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({ mutationFn: () => changePassword(present, next) });
  const form = useFaultFocus(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  if (change.isSuccess) {
    return (
      <Stack>
        <Alert color="teal" role="status">
          Your password is changed. Wherever else you were signed in, you are signed out.
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          value={present}
          error={fieldError(change.error, "current_password")}
          aria-invalid={!!fieldError(change.error, "current_password")}
          onChange={(event) => setPresent(event.currentTarget.value)}
        />
        <PasswordInput
          label="New password"
          description={`At least ${MIN_LENGTH} characters`}
          autoComplete="new-password"
          required
          minLength={MIN_LENGTH}
          value={next}
          error={fieldError(change.error, "password")}
          aria-invalid={!!fieldError(change.error, "password")}
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <ProblemNote error={formError(change.error, ["current_password", "password"])} />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
