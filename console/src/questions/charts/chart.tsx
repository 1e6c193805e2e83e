/** A chart in SVG: drawn to the width it has, told in words to those who can't see it. */
import { Group, Text } from "@mantine/core";
import type { Answer, ChartType, Series } from "../types";
import { Columns, Rows } from "./bar-marks";
import { axesOf, type Drawing, seriesColor } from "./drawing";
import { Axes } from "./frame";
import { formatLabels } from "./labels";
import { Pie } from "./pie";
import { Lines, Points } from "./point-marks";

const KINDS: Record<ChartType, (drawing: Drawing) => React.ReactNode> = {
  bar_chart: Rows,
  histogram: Columns,
  line_chart: Lines,
  pie_chart: Pie,
  scatter_plot: Points,
};
const WORDS: Record<ChartType, string> = {
  bar_chart: "Bar chart",
  histogram: "Histogram",
  line_chart: "Line chart",
  pie_chart: "Pie chart",
  scatter_plot: "Scatter plot",
};

export function Chart({ answer }: { answer: Answer }) {
  const { visualization_type: kind, data, title, columns } = answer;
  if (!kind || !data) return null;
  const Kind = KINDS[kind];
  const labels = formatLabels(data.labels, columns[0]);
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={`${WORDS[kind]}: ${title ?? ""}. The table has its numbers.`}
    >
      {answer.interpretation ? null : (
        <Text component="figcaption" fw={600} mb="sm">
          {title}
        </Text>
      )}
      {data.datasets.length > 1 ? <Legend series={data.datasets} /> : null}
      <Axes {...axesOf(kind, data.datasets, columns)}>
        {(width) => <Kind labels={labels} series={data.datasets} width={width} />}
      </Axes>
    </figure>
  );
}

function Legend({ series }: { series: Series[] }) {
  return (
    <Group gap="md" mb="xs">
      {series.map(({ label }, index) => (
        <Group key={label} gap={6}>
          <span
            aria-hidden
            style={{ width: 10, height: 10, borderRadius: 3, background: seriesColor(index) }}
          />
          <Text size="sm">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}
