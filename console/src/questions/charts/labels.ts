/** What stands beside a chart: months and quarters by their names, not by their first days. */
import { whole } from "../../ui/number-format";
import { formatTime, plain } from "../../ui/time-format";
import type { Label } from "../types";

const MONTH_START = /^\d{4}-\d\d-01$/;
/** Spells the labels of a column; one alone does not tell a month from its first day. */
export function formatLabels(labels: Label[], column = ""): Label[] {
  const texts = labels.map((label) => (typeof label === "string" ? plain(label) : label));
  const known = texts.filter((label) => label !== null);
  const areMonths =
    known.length > 1 &&
    known.every((label) => typeof label === "string" && MONTH_START.test(label));
  if (!areMonths) return texts.map((label) => (typeof label === "string" ? ranged(label) : label));
  const isQuarter = /quarter$/i.test(column);
  return texts.map((label) =>
    label === null
      ? null
      : isQuarter
        ? quarter(new Date(String(label)))
        : formatTime(String(label), "month"),
  );
}

/** A range of a histogram, long numbers parted as they are elsewhere. */
const ranged = (label: string) =>
  /^-?\d+ to -?\d{5,}$/.test(label)
    ? label.replace(/\d+/g, (digits) => whole(Number(digits)))
    : label;

const quarter = (start: Date) =>
  `Q${Math.floor(start.getUTCMonth() / 3) + 1} ${start.getUTCFullYear()}`;
