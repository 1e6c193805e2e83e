/** Labelled horizontal bars, readable as a list. */
import { Text } from "@mantine/core";
import classes from "./bars.module.css";
import { Name } from "./name";

interface BarsProps {
  bars: { label: string; value: number }[];
  spell: (value: number) => string;
  /** What fills the whole width; the largest value when absent. */
  whole?: number;
}

export function Bars({ bars, spell, whole }: BarsProps) {
  const full = whole ?? Math.max(...bars.map((bar) => Math.abs(bar.value)), Number.MIN_VALUE);
  return (
    <ul className={classes.bars}>
      {bars.map(({ label, value }) => (
        <li key={label} className={classes.bar}>
          <Text size="sm" lineClamp={3} title={label} className="long">
            <Name>{label}</Name>
          </Text>
          <span className={classes.track} aria-hidden>
            <span
              className={classes.fill}
              data-negative={value < 0 || undefined}
              style={{ width: `${Math.max(0.5, (100 * Math.abs(value)) / full)}%` }}
            />
          </span>
          <Text size="sm" c="dimmed" ta="right" className="number">
            {spell(value)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
