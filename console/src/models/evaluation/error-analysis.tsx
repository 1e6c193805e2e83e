/** Where a model errs, drawn from its card: what it mixes up, how sure it is, how far off. */
import { Card, SimpleGrid, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { Bars } from "../../ui/bars";
import { decimal, percent, plural, whole } from "../../ui/number-format";
import type { CalibrationPoint, Curves, Metrics, ResidualPoint } from "../types";
import { confusionsOf, mostFrequentConfusion, rowShares } from "./confusion-format";
import { CalibrationChart, ResidualsChart } from "./curves";

/** More classes than these make a table nobody reads. */
const MAX_MATRIX_CLASSES = 12;
const MAX_CONFUSIONS = 8;

export function ErrorAnalysis({ card }: { card: Schemas["ModelCard"] }) {
  const { curves, data, target, metrics } = card;
  const { calibration = [], residuals = [] }: Curves = curves;
  if (residuals.length > 1) return <ResidualsCard points={residuals} target={target} />;
  const classes = (data.target.classes as unknown[] | undefined)?.map(String) ?? [];
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <ConfusionMatrix metrics={metrics} classes={classes} target={target} />
      {calibration.length > 1 ? (
        <CalibrationCard points={calibration} metrics={metrics} classes={classes} />
      ) : null}
    </SimpleGrid>
  );
}

function ResidualsCard({ points, target }: { points: ResidualPoint[]; target: string }) {
  return (
    <ChartCard
      title="Residuals"
      about="How far off it is: the actual value less the prediction, on held-out rows"
      caption="Half of the rows lie in the dark band, nine of ten in the light one."
    >
      <ResidualsChart points={points} target={target} />
    </ChartCard>
  );
}

interface CalibrationCardProps {
  points: CalibrationPoint[];
  metrics: Metrics;
  classes: string[];
}

function CalibrationCard({ points, metrics, classes }: CalibrationCardProps) {
  const gap = metrics.calibration?.expected_error;
  const of = classes.length === 2 ? classes[1] : "its answer";
  return (
    <ChartCard
      title="Calibration"
      about="How sure it may be: when it says 70%, does it happen in 70 of 100? On the dashed line the two agree"
      caption={
        gap === undefined
          ? ""
          : `On average the two differ by ${decimal(100 * gap, 3)} percentage points.`
      }
    >
      <CalibrationChart points={points} of={of ?? "its answer"} />
    </ChartCard>
  );
}

interface ChartCardProps {
  title: string;
  about: string;
  caption: string;
  children: ReactNode;
}

function ChartCard({ title, about, caption, children }: ChartCardProps) {
  return (
    <Card component="section" aria-label={title}>
      <Title order={2} fz="lg">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {about}
      </Text>
      {children}
      <Text size="sm" mt="sm">
        {caption}
      </Text>
    </Card>
  );
}

interface ConfusionMatrixProps {
  metrics: Metrics;
  classes: string[];
  target: string;
}

function ConfusionMatrix({ metrics, classes, target }: ConfusionMatrixProps) {
  const matrix = metrics.confusion_matrix ?? [];
  if (matrix.length === 0 || matrix.length !== classes.length) return null;
  if (matrix.length > MAX_MATRIX_CLASSES)
    return <TopConfusions matrix={matrix} classes={classes} />;
  const shares = rowShares(matrix);
  return (
    <ChartCard
      title="Confusion matrix"
      about={`What it mixes up: how often it predicted each class of ${target}, on held-out rows`}
      caption={mostFrequentConfusion(matrix, classes) ?? "It mixed up none of them."}
    >
      <Table.ScrollContainer minWidth={0} type="native">
        <Table withRowBorders={false} verticalSpacing={6} className="number" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th colSpan={classes.length} ta="center" scope="colgroup" c="dimmed" fw={500}>
                Predicted
              </Table.Th>
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="col" c="dimmed" fw={500}>
                Actual
              </Table.Th>
              {classes.map((name) => (
                <Table.Th key={name} ta="right" scope="col">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {matrix.map((row, truth) => (
              <Table.Tr key={classes[truth]}>
                <Table.Th scope="row">{classes[truth]}</Table.Th>
                {row.map((count, answer) => (
                  <Table.Td
                    key={classes[answer]}
                    ta="right"
                    fw={truth === answer ? 650 : undefined}
                    title={percent(shares[truth]?.[answer] ?? 0)}
                    bg={cellColor(shares[truth]?.[answer] ?? 0, truth === answer)}
                  >
                    {whole(count)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </ChartCard>
  );
}

/** The commonest mistakes alone, where there are many classes. */
function TopConfusions({ matrix, classes }: { matrix: number[][]; classes: string[] }) {
  const mixes = confusionsOf(matrix, classes);
  const rows = mixes.reduce((sum, { count }) => sum + count, 0);
  return (
    <ChartCard
      title="Top confusions"
      about="What it mixes up most, on held-out rows: what was right → what it predicted"
      caption={`${plural(rows, "mistake")} of ${plural(mixes.length, "kind")} in all.`}
    >
      <Bars
        bars={mixes
          .slice(0, MAX_CONFUSIONS)
          .map(({ truth, answer, count }) => ({ label: `${truth} → ${answer}`, value: count }))}
        spell={whole}
      />
    </ChartCard>
  );
}

/** What is right in the colour of the page, what is wrong in another; never so strong that the number were hard to read. */
const cellColor = (share: number, isRight: boolean) =>
  `color-mix(in srgb, var(--mantine-${isRight ? "primary-color-filled" : "color-orange-filled"}) ${Math.round(45 * share)}%, transparent)`;
