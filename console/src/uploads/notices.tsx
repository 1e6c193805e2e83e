/** What was guessed of a file: a few sentences at once, and the others when they are asked for. */
import { Button, List, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconInfoCircle } from "@tabler/icons-react";
import { inConsoleTerms } from "../api/console-terms";

/** So many are read at a glance; one more is shown too, as hiding it would spare no line. */
const SHOWN = 3;

export function Notices({ notices }: { notices: string[] }) {
  const [isWhole, { toggle }] = useDisclosure();
  if (notices.length === 0) return null;
  const isLong = notices.length > SHOWN + 1;
  const shown = isLong && !isWhole ? notices.slice(0, SHOWN) : notices;
  return (
    <Stack component="section" aria-label="Notices" gap="xs" mb="md" align="flex-start">
      <List
        size="sm"
        spacing={6}
        icon={<IconInfoCircle size={16} aria-hidden style={{ display: "block" }} />}
        styles={{ itemIcon: { color: "var(--mantine-color-dimmed)" } }}
      >
        {shown.map((notice) => (
          <List.Item key={notice}>
            <Text size="sm" className="long">
              {inConsoleTerms(notice)}
            </Text>
          </List.Item>
        ))}
      </List>
      {isLong ? (
        <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isWhole}>
          {isWhole ? "Show fewer" : `Show all ${notices.length} notices`}
        </Button>
      ) : null}
    </Stack>
  );
}
