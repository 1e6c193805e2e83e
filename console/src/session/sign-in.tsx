/** The way in: e-mail and password, or an API key for this tab. */
import {
  Alert,
  Anchor,
  Button,
  Center,
  Code,
  Divider,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { api, unwrap } from "../api/client";
import { fieldError, formError } from "../api/problem";
import { useFaultFocus } from "../ui/fault-focus";
import { Logo } from "../ui/logo";
import { ProblemNote } from "../ui/problem-note";
import { signInWithKey as enterByKey, restoreSession, signIn } from "./auth";
import { CodeInput } from "./code-input";
import { credentials } from "./credentials";

type Way = "password" | "key";

export function SignIn() {
  const [way, setWay] = useState<Way>("password");
  const present = credentials();
  const why = present.way === "none" ? present.why : "";
  useSessionFromOtherTab();
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <Logo size={36} />
          <Title order={1} fz={26}>
            Modelwright
          </Title>
        </Group>
        <Paper withBorder p="xl" radius="lg">
          <Stack>
            {why ? <Alert color="yellow">{why} Please sign in again.</Alert> : null}
            <SingleSignOn />
            <SegmentedControl
              fullWidth
              value={way}
              onChange={(chosen) => setWay(chosen === "key" ? "key" : "password")}
              data={[
                { value: "password", label: "Password" },
                { value: "key", label: "API key" },
              ]}
              aria-label="Way to sign in"
            />
            {way === "password" ? <PasswordForm /> : <KeyForm />}
          </Stack>
        </Paper>
        <Text ta="center" size="sm" c="dimmed">
          Writing a program instead? Read the{" "}
          <Anchor href="/docs" underline="always">
            API’s documentation
          </Anchor>
          .
        </Text>
      </Stack>
    </Center>
  );
}

/** Who signed in in another tab is signed in here too. */
function useSessionFromOtherTab() {
  useEffect(() => {
    const look = () => void restoreSession().catch(() => undefined);
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
}

/** The way over the operator's identity provider, where there is one; it returns to this page. */
function SingleSignOn() {
  const { data: ways } = useQuery({
    queryKey: ["ways"],
    queryFn: () => unwrap(api.GET("/console/ways")),
  });
  if (!ways?.single_sign_on) return null;
  const here = encodeURIComponent(location.pathname + location.search);
  return (
    <>
      <Button component="a" href={`/console/oidc?next=${here}`} variant="default" fullWidth>
        Sign in with {ways.single_sign_on}
      </Button>
      <Divider label="or" />
    </>
  );
}

function PasswordForm() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  /** The account that was found to have a second factor. */
  const [guarded, setGuarded] = useState<string>();
  const needsCode = guarded === email;
  const entry = useMutation({
    mutationFn: () => signIn(email, password, needsCode ? code.trim() : ""),
    onError: (error) => {
      if (!fieldError(error, "code")) return;
      setGuarded(email);
      setCode("");
    },
  });
  return (
    <SignInForm
      onSubmit={entry.mutate}
      error={entry.error}
      fields={needsCode ? ["code"] : []}
      isPending={entry.isPending}
    >
      <TextInput
        label="E-mail"
        autoComplete="username"
        autoFocus
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {needsCode ? (
        <CodeInput value={code} onChange={setCode} error={fieldError(entry.error, "code")} />
      ) : null}
      <Text size="xs" c="dimmed">
        No password yet? On the server: <Code>modelwright users set-password E-MAIL</Code>
      </Text>
    </SignInForm>
  );
}

function KeyForm() {
  const [key, setKey] = useState("");
  const entry = useMutation({ mutationFn: () => enterByKey(key.trim()) });
  return (
    <SignInForm onSubmit={entry.mutate} error={entry.error} isPending={entry.isPending}>
      <PasswordInput
        label="API key"
        placeholder="mw_…"
        autoComplete="off"
        autoFocus
        required
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        It stays in this tab and is forgotten when the tab is closed. No key yet? On the server:{" "}
        <Code>modelwright keys create --name first --permission-level read_write</Code>
      </Text>
    </SignInForm>
  );
}

interface SignInFormProps {
  onSubmit: () => void;
  error: Error | null;
  /** Those that say themselves what is wrong with them. */
  fields?: readonly string[];
  isPending: boolean;
  children: ReactNode;
}

function SignInForm({ onSubmit, error, fields = [], isPending, children }: SignInFormProps) {
  const form = useFaultFocus(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} ref={form}>
      <Stack>
        {children}
        <ProblemNote error={formError(error, fields)} />
        <Button type="submit" fullWidth loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
