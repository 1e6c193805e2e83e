/** An older version of a model, looked at as the newest is. */
import { Alert, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { cardQuery, type Model } from "../api/queries";
import { LinkAnchor } from "../ui/links";
import { Loaded } from "../ui/page";
import { versionOf } from "./version-of";

interface VersionDetailProps {
  model: Model;
  version: string;
  children: (version: Model) => ReactNode;
}

export function VersionDetail({ model, version, children }: VersionDetailProps) {
  const query = useQuery(cardQuery(model.model_name, version));
  return (
    <Stack>
      <Alert color="yellow" role="status">
        <Group justify="space-between" gap="xs">
          <span>
            You are looking at version {version}. {model.model_version} is newer.
          </span>
          <LinkAnchor
            to="."
            search={({ tab }) => ({ tab })}
            size="sm"
            c="inherit"
            underline="always"
          >
            Back to {model.model_version}
          </LinkAnchor>
        </Group>
      </Alert>
      <Loaded query={query} height={640}>
        {(card) => children(versionOf(model, card))}
      </Loaded>
    </Stack>
  );
}
