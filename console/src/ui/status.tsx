/** A state as a word with a colour; the word alone says it all. */
import { Badge, Loader } from "@mantine/core";
import { isLive } from "../api/queries";

const COLOURS: Record<string, string> = {
  ready: "green",
  complete: "green",
  completed: "green",
  active: "green",
  connected: "green",
  ok: "green",
  deployed: "green",
  error: "red",
  failed: "red",
  degraded: "red",
  cancelled: "gray",
  revoked: "gray",
  expired: "gray",
  ended: "gray",
  undeployed: "gray",
};

export function Status({ value }: { value: string }) {
  const word = value.toLowerCase();
  const colour = COLOURS[word] ?? "blue";
  const spinner = isLive(value) ? <Loader size={10} color={colour} aria-hidden /> : undefined;
  return (
    <Badge color={colour} leftSection={spinner}>
      {word}
    </Badge>
  );
}
