/** What was found in a file: findings and advice, columns in numbers, pairs, pictures. */
import { Badge, Group, List, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { Bars } from "../ui/bars";
import { TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { decimal } from "../ui/number-format";
import { usePagedList } from "../ui/paged-list";
import { Pager } from "../ui/pager";
import { Charts } from "./charts";
import {
  bySeverity,
  columnSummaries,
  correlationsOf,
  type FileAnalysis,
  recommendationsFor,
  severityOf,
} from "./format";

interface FindingsProps {
  analysis: Schemas["AnalysisAnswer"];
  file: FileAnalysis;
}

export function Findings({ analysis, file }: FindingsProps) {
  const advice = recommendationsFor(analysis, file.filename);
  const pairs = correlationsOf(file);
  const insights = bySeverity(file.insights);
  return (
    <Stack gap="xl">
      <Part title="Insights" about="What stands out">
        {insights.length > 0 ? <Insights insights={insights} /> : <Text>Nothing stands out.</Text>}
      </Part>
      {advice.length > 0 ? (
        <Part title="Recommendations" about="What to do about it">
          <List size="sm" spacing={6}>
            {advice.map((sentence) => (
              <List.Item key={sentence}>{inConsoleTerms(sentence)}</List.Item>
            ))}
          </List>
        </Part>
      ) : null}
      {pairs.length > 0 ? (
        <Part
          title="Correlations"
          about="What goes together: from 0, not at all, to 1, completely; below 0 one falls as the other rises"
        >
          <Bars bars={pairs} whole={1} spell={(value) => decimal(value, 2)} />
        </Part>
      ) : null}
      <Part title="Statistics" about="Columns in numbers">
        <Numbers file={file} />
      </Part>
      {file.visualizations.length > 0 ? (
        <Part title="Charts">
          <Charts visuals={file.visualizations} />
        </Part>
      ) : null}
    </Stack>
  );
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} fz="md">
        {title}
      </Title>
      {about ? (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      ) : null}
      <div style={{ marginTop: 12 }}>{children}</div>
    </section>
  );
}

const INSIGHTS = 20;

function Insights({ insights }: { insights: FileAnalysis["insights"] }) {
  const { part, pager } = usePagedList(insights, INSIGHTS);
  return (
    <Stack>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {part.map(({ message, severity }) => {
          const { word, colour } = severityOf(severity);
          return (
            <Group key={message} component="li" align="flex-start" gap="sm" wrap="nowrap">
              <Badge color={colour} w={76} flex="none" mt={1}>
                {word}
              </Badge>
              <Text size="sm" className="long">
                {inConsoleTerms(message)}
              </Text>
            </Group>
          );
        })}
      </Stack>
      <Pager {...pager} of="findings" />
    </Stack>
  );
}

const COLUMNS = 100;

function Numbers({ file }: { file: FileAnalysis }) {
  const { part, pager } = usePagedList(columnSummaries(file), COLUMNS);
  return (
    <Stack>
      <Table verticalSpacing={6} fz="sm">
        <TableHead
          columns={[
            "Column",
            { title: "Missing", ta: "right", visibleFrom: "xs" },
            { title: "Distinct", ta: "right", visibleFrom: "sm" },
            "Values",
          ]}
        />
        <Table.Tbody>
          {part.map(({ name, missing, distinct, values }) => (
            <Table.Tr key={name}>
              <Table.Td fw={550} className="long" miw={130}>
                <Name>{name}</Name>
              </Table.Td>
              <Table.Td ta="right" className="number short" visibleFrom="xs">
                {missing}
              </Table.Td>
              <Table.Td ta="right" className="number" visibleFrom="sm">
                {distinct}
              </Table.Td>
              <Table.Td className="number long">
                <Text inherit lineClamp={3} title={values}>
                  {values}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Pager {...pager} of="columns" />
    </Stack>
  );
}
