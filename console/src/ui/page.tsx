/** A page: its title, what it is for, and its actions. */
import { Box, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { LinkAnchor } from "./links";
import { Name } from "./name";
import { ProblemNote } from "./problem-note";

interface PageProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** What takes something away: it stands behind all that does not. */
  destructive?: ReactNode;
  above?: { to: "/uploads" | "/models" | "/databases"; label: string };
  badge?: ReactNode;
  children: ReactNode;
}

/** Longer titles, such as names of exported files, have the width to themselves. */
const LONG_TITLE = 40;

export function Page({ title, about, actions, destructive, above, badge, children }: PageProps) {
  useTitle(title);
  const isLong = title.length > LONG_TITLE;
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="md">
        <Box miw={0} flex={isLong ? "1 1 100%" : "1 1 320px"}>
          {above ? (
            <LinkAnchor to={above.to} size="sm">
              ← {above.label}
            </LinkAnchor>
          ) : null}
          <Group gap="sm">
            <Title order={1} fz={isLong ? 20 : 26} style={{ overflowWrap: "anywhere" }}>
              <Name>{title}</Name>
            </Title>
            {badge}
          </Group>
          {about ? (
            <Text c="dimmed" mt={4} maw={720}>
              {about}
            </Text>
          ) : null}
        </Box>
        {actions || destructive ? (
          <Group gap="sm">
            {actions}
            {destructive}
          </Group>
        ) : null}
      </Group>
      {children}
    </Stack>
  );
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Modelwright`;
  }, [title]);
}

interface LoadedProps<T> {
  query: { data: T | undefined; error: Error | null };
  children: (data: T) => ReactNode;
  height?: number;
}

/** Shows what was loaded, the refusal, or a placeholder of the same height. */
export function Loaded<T>({ query, children, height = 180 }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ProblemNote error={query.error} />;
  return <Placeholder height={height} />;
}

export function Placeholder({ height }: { height: number }) {
  return (
    <Stack aria-busy role="status" aria-label="Loading">
      <Skeleton height={28} width="40%" />
      <Skeleton height={height} />
    </Stack>
  );
}
