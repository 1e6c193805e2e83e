/** A place where nothing is yet, and what to do about it. */
import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface EmptyProps {
  icon: Icon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Where it is all that a page has. */
  order?: 1 | 2;
}

export function Empty({ icon: Sign, title, children, action, order = 2 }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md">
      <ThemeIcon size={56} radius="xl" variant="light">
        <Sign size={28} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <Title order={order} fz="lg" mt="xs">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={420} style={{ textWrap: "balance" }}>
        {children}
      </Text>
      {action ? <div style={{ marginTop: 12 }}>{action}</div> : null}
    </Stack>
  );
}
