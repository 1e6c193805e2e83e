/** A model's versions, newest first, side by side. */
import { Group, Table, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { LinkAnchor } from "../ui/links";
import { RelativeTime } from "../ui/relative-time";
import { Sentence } from "../ui/sentence";
import { Status } from "../ui/status";
import { isAtWork } from "./deployment-state";
import { formatMetrics } from "./evaluation/metrics-format";

interface VersionsProps {
  versions: Schemas["VersionItem"][];
  /** The version that the page is of; what went wrong with it stands above. */
  shown: string;
}

export function Versions({ versions, shown }: VersionsProps) {
  const [first, ...others] = [
    ...new Set(versions.flatMap(({ metrics }) => formatMetrics(metrics).map(({ name }) => name))),
  ];
  return (
    <>
      <Title order={2} fz="lg" mb="sm">
        Versions
      </Title>
      <Table horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Status</Table.Th>
            {first ? <Table.Th ta="right">{first}</Table.Th> : null}
            {others.map((name) => (
              <Table.Th key={name} ta="right" visibleFrom="lg">
                {name}
              </Table.Th>
            ))}
            <Table.Th visibleFrom="sm">Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((version) => (
            <VersionRow
              key={version.version_id}
              version={version}
              isShown={version.model_version === shown}
              columns={first ? [first, ...others] : []}
            />
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

interface VersionRowProps {
  version: Schemas["VersionItem"];
  isShown: boolean;
  columns: string[];
}

function VersionRow({ version, isShown, columns }: VersionRowProps) {
  const { model_version, status, deployment_status, metrics, error, created_at } = version;
  const values = new Map(formatMetrics(metrics).map(({ name, value }) => [name, value]));
  return (
    <Table.Tr bg={isShown ? "var(--mantine-color-default-hover)" : undefined}>
      <Table.Td className="number short">
        {status === "READY" ? (
          <LinkAnchor
            size="sm"
            fw={600}
            to="."
            search={({ tab }) => ({ tab, version: model_version })}
            aria-current={isShown}
          >
            {model_version}
          </LinkAnchor>
        ) : (
          model_version
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Status value={status} />
          {isAtWork(deployment_status) ? <Status value={deployment_status ?? ""} /> : null}
        </Group>
        {error && !isShown ? (
          <Text size="sm" c="red" maw={420} className="long" mt={4}>
            <Sentence>{inConsoleTerms(error)}</Sentence>
          </Text>
        ) : null}
      </Table.Td>
      {columns.map((name, index) => (
        <Table.Td
          key={name}
          ta="right"
          className="number short"
          {...(index > 0 ? { visibleFrom: "lg" } : {})}
        >
          {values.get(name) ?? "–"}
        </Table.Td>
      ))}
      <Table.Td className="short" visibleFrom="sm">
        <RelativeTime at={created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
