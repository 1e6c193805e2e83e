/** One small column a day, from the first to the last. */
import { Group, Text } from "@mantine/core";
import { formatTime } from "../ui/time-format";
import type { Day } from "./totals";

const HEIGHT = 72;

interface DailyChartProps {
  days: Day[];
  spell: (quantity: number) => string;
}

export function DailyChart({ days, spell }: DailyChartProps) {
  const most = Math.max(...days.map(({ quantity }) => quantity), Number.MIN_VALUE);
  return (
    <div aria-hidden>
      <div style={{ display: "flex", alignItems: "flex-end", gap: 2, height: HEIGHT }}>
        {days.map(({ day, quantity }) => (
          <div
            key={day}
            title={`${formatTime(day, "day")}: ${spell(quantity)}`}
            style={{
              flex: 1,
              height: Math.max(2, (quantity / most) * HEIGHT),
              borderRadius: 2,
              background:
                quantity > 0 ? "var(--mantine-primary-color-filled)" : "var(--console-line)",
            }}
          />
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        {[days[0], days.at(-1)].map((end) => (
          <Text key={end?.day} size="xs" c="dimmed">
            {end ? formatTime(end.day, "day") : ""}
          </Text>
        ))}
      </Group>
    </div>
  );
}
