/** Lets signed-in people through and asks the others who they are. */
import { Button, Center, Loader, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { ProblemNote } from "../ui/problem-note";
import { dismissAll } from "../uploads/upload-queue";
import { restoreSession } from "./auth";
import { useCredentials } from "./credentials";
import { SignIn } from "./sign-in";

export function SessionGate({ children }: { children: ReactNode }) {
  const [isKnown, setKnown] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const { way } = useCredentials();
  const queries = useQueryClient();

  const begin = useCallback(() => {
    setFault(undefined);
    restoreSession().then(() => setKnown(true), setFault);
  }, []);
  useEffect(begin, [begin]);
  useEffect(() => {
    if (way === "none") return;
    // As a clean-up it comes before the sign-in page asks anything.
    return () => {
      dismissAll();
      queries.clear();
    };
  }, [way, queries]);

  if (fault) {
    return (
      <Center component="main" h="100vh" p="md">
        <Stack align="flex-start">
          <ProblemNote error={fault} title="The console can’t start" />
          <Button variant="default" onClick={begin}>
            Try again
          </Button>
        </Stack>
      </Center>
    );
  }
  if (!isKnown) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return way === "none" ? <SignIn /> : children;
}
