/** How often a table is brought in, in words and as the server's cron line. */

export const CUSTOM = "own";

export const SCHEDULES = [
  { value: "", label: "Once, now" },
  { value: "0 * * * *", label: "Every hour" },
  { value: "0 4 * * *", label: "Every day" },
  { value: "0 4 * * 1", label: "Every Monday" },
  { value: "0 4 1 * *", label: "On the first of every month" },
  { value: CUSTOM, label: "On a schedule of my own" },
];

export function scheduleWords(line: string | null): string {
  if (!line) return "once";
  const known = SCHEDULES.find(({ value }) => value === line);
  return known ? known.label.toLowerCase().replace("monday", "Monday") : `by ${line} (UTC)`;
}
