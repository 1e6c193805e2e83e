/** One small column a day. */
import { decimal } from "../ui/words";
import type { Day } from "./summing";

const HEIGHT = 72;

export function Days({ days }: { days: Day[] }) {
  const most = Math.max(...days.map(({ quantity }) => quantity), Number.MIN_VALUE);
  return (
    <div aria-hidden style={{ display: "flex", alignItems: "flex-end", gap: 2, height: HEIGHT }}>
      {days.map(({ day, quantity }) => (
        <div
          key={day}
          title={`${day}: ${decimal(quantity)}`}
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
  );
}
