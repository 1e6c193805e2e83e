/** Parts of a whole, as a ring with its legend. */
import { Group, Stack, Text } from "@mantine/core";
import { percent } from "../../ui/number-format";
import { type Drawing, labelText, seriesColor } from "./drawing";
import { Mark } from "./frame";
import { formatTick } from "./scales";

const RADIUS = 80;
const THICK = 34;
const ROUND = 2 * Math.PI * RADIUS;

export function Pie({ labels, series }: Drawing) {
  const values = (series[0]?.data ?? []).map((value) => value ?? 0);
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  // Fractions that make up one or a hundred are shares themselves, and are told once.
  const areShares =
    !values.every(Number.isInteger) && [1, 100].some((all) => Math.abs(total / all - 1) < 0.001);
  const spell = (value: number) => {
    const share = percent(value / total);
    return areShares ? share : `${formatTick(value)} (${share})`;
  };
  const parts = labels.map((label, index) => {
    const before = values.slice(0, index).reduce((sum, value) => sum + value, 0);
    return { name: labelText(label), value: values[index] ?? 0, before, fill: seriesColor(index) };
  });
  return (
    <Group gap="xl" align="center">
      <svg width={200} height={200} viewBox="-100 -100 200 200" aria-hidden>
        {parts.map(({ name, value, before, fill }) => (
          <Mark key={name} title={`${name}: ${spell(value)}`}>
            <circle
              r={RADIUS}
              fill="none"
              stroke={fill}
              strokeWidth={THICK}
              strokeDasharray={`${Math.max(0, (value / total) * ROUND - 1.5)} ${ROUND}`}
              transform={`rotate(${(360 * before) / total - 90})`}
            />
          </Mark>
        ))}
      </svg>
      <Stack gap={6}>
        {parts.map(({ name, value, fill }) => (
          <Group key={name} gap="xs">
            <span
              aria-hidden
              style={{ width: 10, height: 10, borderRadius: 3, background: fill }}
            />
            <Text size="sm">{name}</Text>
            <Text size="sm" c="dimmed" className="number">
              {spell(value)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Group>
  );
}
