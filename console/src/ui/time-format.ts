/** Moments and durations as the console writes them: everywhere by this one formatter. */
import { decimal } from "./number-format";

export type TimeStyle = "moment" | "date" | "clock" | "day" | "month";

const FORMATS: Record<TimeStyle, Intl.DateTimeFormat> = {
  moment: new Intl.DateTimeFormat(undefined, {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }),
  date: new Intl.DateTimeFormat(undefined, { year: "numeric", month: "numeric", day: "numeric" }),
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }),
  // Days and months that the server counts are days and months in UTC.
  day: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" }),
};

export const formatTime = (moment: string, style: TimeStyle = "moment") =>
  FORMATS[style].format(new Date(moment));

/**
 * A text as it is read: a moment without its T, at midnight, which days are told by, as the day;
 * among moments of other hours midnight keeps its hour.
 */
export const plain = (text: string, hasHours = false) =>
  (hasHours ? text : text.replace(/^(\d{4}-\d\d-\d\d)T00:00:00$/, "$1")).replace(
    /^(\d{4}-\d\d-\d\d)T(?=\d\d:)/,
    "$1 ",
  );

/** Whether a value is a moment of another hour than midnight. */
export const tellsHour = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:/.test(value) && !/T00:00:00$/.test(value);

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const RECENT_SECONDS = 30 * 86_400;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** Says how long ago, up to a month; older moments by their date. */
export function ago(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000;
  if (Math.abs(seconds) > RECENT_SECONDS) return formatTime(moment, "date");
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
