/** A moment, told by how long ago it was, exact on hover. */
import { Text } from "@mantine/core";
import { ago, formatTime } from "./time-format";

export function RelativeTime({ at }: { at: string | null | undefined }) {
  if (!at) return <>–</>;
  return (
    <Text span inherit title={formatTime(at)}>
      <time dateTime={at}>{ago(at)}</time>
    </Text>
  );
}
