/** A moment, told by how long ago it was, exact on hover. */
import { Text } from "@mantine/core";
import { ago } from "./format";

export function RelativeTime({ at }: { at: string | null | undefined }) {
  if (!at) return <>–</>;
  return (
    <Text span inherit title={new Date(at).toLocaleString()}>
      <time dateTime={at}>{ago(at)}</time>
    </Text>
  );
}
