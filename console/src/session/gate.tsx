/** Lets signed-in people through and asks the others who they are. */
import { Center, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useCredentials } from "./credentials";
import { SignIn } from "./sign-in";
import { resume } from "./signing-in";

export function SessionGate({ children }: { children: ReactNode }) {
  const [isKnown, setKnown] = useState(false);
  const { way } = useCredentials();
  const queries = useQueryClient();

  useEffect(() => {
    resume()
      .catch(() => undefined)
      .finally(() => setKnown(true));
  }, []);
  useEffect(() => {
    if (way === "none") return;
    // As a clean-up it comes before the sign-in page asks anything.
    return () => queries.clear();
  }, [way, queries]);

  if (!isKnown) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return way === "none" ? <SignIn /> : children;
}
