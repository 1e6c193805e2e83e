/** Numbers and moments in the reader's own manner. */

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export function bytes(count: number | null | undefined): string {
  if (count === null || count === undefined) return "–";
  const step = Math.min(
    UNITS.length - 1,
    count < 1 ? 0 : Math.floor(Math.log(count) / Math.log(1024)),
  );
  const value = count / 1024 ** step;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: step && value < 10 ? 1 : 0 })} ${UNITS[step]}`;
}

export function whole(count: number | null | undefined): string {
  return count === null || count === undefined ? "–" : count.toLocaleString();
}

export function decimal(value: number, digits = 3): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1000) return value.toLocaleString(undefined, { maximumFractionDigits: 0 });
  return value.toLocaleString(undefined, { maximumSignificantDigits: digits });
}

/** A number of an answer, long fractions rounded to four digits, those of thousands to two. */
export function rounded(value: number, useGrouping = false): string {
  if (Number.isInteger(value)) return useGrouping ? value.toLocaleString() : String(value);
  const digits =
    Math.abs(value) >= 1
      ? { maximumFractionDigits: Math.abs(value) >= 1000 ? 2 : 4 }
      : { maximumSignificantDigits: 4 };
  return value.toLocaleString(undefined, { useGrouping, ...digits });
}

/** Whether a column's name says that its numbers are years, which are read without separators. */
export const tellsYears = (column: string) => /year(?!ly|s)/i.test(column);

/** A text as it is read: a moment without its T, at midnight, which days are told by, as the day. */
export const plain = (text: string) =>
  text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00$/, "$1").replace(/^(\d{4}-\d\d-\d\d)T(?=\d\d:)/, "$1 ");

/** A share, never told as none or all where it is neither. */
export function percent(share: number, digits = 1): string {
  const least = 10 ** -(digits + 2);
  const spelt = (part: number) =>
    part.toLocaleString(undefined, { style: "percent", maximumFractionDigits: digits });
  if (share > 0 && share < least / 2) return `under ${spelt(least)}`;
  if (share < 1 && share > 1 - least / 2) return `over ${spelt(1 - least)}`;
  return spelt(share);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** Says how long ago, up to a month; older moments by their date. */
export function ago(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return new Date(moment).toLocaleDateString();
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return seconds > -10 && seconds <= 0
    ? "just now"
    : relative.format(Math.round(seconds), "second");
}

export function lasting(from: string, to: string): string {
  return duration(Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000));
}

export function milliseconds(time: number): string {
  return time < 1000 ? `${decimal(time)} ms` : duration(time / 1000);
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${decimal(seconds, 2)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
