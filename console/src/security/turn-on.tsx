/** Sets a second factor up: the password, a code of the app, and the recovery codes, once. */
import {
  Alert,
  Anchor,
  Button,
  Center,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
} from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { fieldError, formError } from "../api/problem";
import { CodeInput } from "../session/code-input";
import { useFaultFocus } from "../ui/fault-focus";
import { ProblemNote } from "../ui/problem-note";
import { Snippet } from "../ui/snippet";
import { QrCode } from "./qr-code";

interface TurnOnProps {
  isOpen: boolean;
  onClose: () => void;
}

export function TurnOn({ isOpen, onClose }: TurnOnProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Turn on the second factor"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Steps onDone={onClose} />
    </Modal>
  );
}

function Steps({ onDone }: { onDone: () => void }) {
  const [begun, setBegun] = useState<Schemas["SecondFactorBegun"]>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (begun) return <CodeForm begun={begun} onDone={setCodes} />;
  return <PasswordForm onDone={setBegun} />;
}

function PasswordForm({ onDone }: { onDone: (begun: Schemas["SecondFactorBegun"]) => void }) {
  const [password, setPassword] = useState("");
  const begin = useMutation({
    mutationFn: () => unwrap(api.POST("/auth/second-factor", { body: { password } })),
    onSuccess: onDone,
  });
  const form = useFaultFocus(begin.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <PasswordInput
          label="Password"
          description="Yours, so that nobody passing by does this"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          error={fieldError(begin.error, "password")}
          aria-invalid={!!fieldError(begin.error, "password")}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <ProblemNote error={formError(begin.error, ["password"])} />
        <Group justify="flex-end">
          <Button type="submit" loading={begin.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CodeFormProps {
  begun: Schemas["SecondFactorBegun"];
  onDone: (codes: string[]) => void;
}

function CodeForm({ begun, onDone }: CodeFormProps) {
  const [code, setCode] = useState("");
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/auth/second-factor/confirm", { body: { code: code.trim() } })),
    onSuccess: ({ recovery_codes }) => {
      onDone(recovery_codes);
      void queries.invalidateQueries({ queryKey: ["security"] });
    },
  });
  const form = useFaultFocus(confirm.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        <Text>
          Scan this with your authenticator app. Where nothing can be scanned, add an account in the
          app with the secret, or with the address where the app takes one.
        </Text>
        <Center>
          <QrCode text={begun.uri} label="QR code for the authenticator app" />
        </Center>
        <div>
          <Text size="sm" fw={500}>
            Secret
          </Text>
          <Snippet text={begun.secret} label="Copy the secret" />
        </div>
        <div>
          <Text size="sm" fw={500}>
            Address
          </Text>
          <Snippet text={begun.uri} label="Copy the address" />
          <Anchor href={begun.uri} size="sm" underline="always">
            Open it in an app on this device
          </Anchor>
        </div>
        <CodeInput
          digitsOnly
          value={code}
          onChange={setCode}
          error={fieldError(confirm.error, "code")}
        />
        <ProblemNote error={formError(confirm.error, ["code"])} />
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="teal" role="status">
        The second factor is on. From now on a code is asked for beside your password.
      </Alert>
      <Alert color="yellow" title="Keep your recovery codes">
        Each signs you in once where the app is lost. They are shown only this once.
      </Alert>
      <Snippet text={codes.join("\n")} label="Copy the recovery codes" />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have them</Button>
      </Group>
    </Stack>
  );
}
