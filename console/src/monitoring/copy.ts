/** Says in sentences what monitoring found. */
import type { Schemas } from "../api/client";
import { percent, plural } from "../ui/number-format";

export type Report = Schemas["Monitored"];
export type Distribution = Schemas["Distribution"];

/** Rows below which the server compares nothing. */
const MIN_ROWS = 100;

interface Drift {
  word: string;
  colour: string;
  /** Where it stands among others: what needs a look comes first. */
  rank: number;
}

const DRIFTS: Record<string, Drift> = {
  moved: { word: "drifted", colour: "orange", rank: 0 },
  watch: { word: "slight drift", colour: "yellow", rank: 1 },
  stable: { word: "stable", colour: "green", rank: 2 },
};
const UNKNOWN: Drift = { word: "too few rows", colour: "gray", rank: 3 };

export const driftOf = ({ status }: Distribution): Drift => DRIFTS[status] ?? UNKNOWN;

/** Puts the columns that moved first; equal ones stay in the order of their importance. */
export function byDrift(columns: Distribution[]): Distribution[] {
  return columns.toSorted((a, b) => driftOf(a).rank - driftOf(b).rank);
}

export const NOTES: Record<string, string> = {
  text: "By how many letters its texts have.",
  date: "Dates move because time does; that alone is never called drift.",
};

export function joinNames(names: string[], most = 5): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, plural(rest, "more column", "more columns")] : shown;
  return new Intl.ListFormat("en", { type: "conjunction" }).format(parts);
}

export interface Summary {
  isWell: boolean;
  text: string;
}

/** The one finding that counts; undefined where there are too few rows for any. */
export function summaryOf({ rows, columns, predictions, moved }: Report): Summary {
  if (predictions.status === "not_enough_data") {
    const text = `${plural(rows, "row was", "rows were")} predicted. Drift is measured from ${MIN_ROWS} rows on.`;
    return { isWell: true, text };
  }
  const names = columns.map(({ name }) => name).filter((name) => moved.includes(name));
  const answers = predictions.status === "moved" ? "its predictions" : undefined;
  if (names.length > 0) {
    const verb = names.length === 1 ? "looks" : "look";
    const also = answers
      ? `, and ${answers} have drifted with ${names.length === 1 ? "it" : "them"}`
      : "";
    const text = `${joinNames(names)} no longer ${verb} as in training${also}. It may be right less often than measured; if this is here to stay, retrain it with newer data.`;
    return { isWell: false, text };
  }
  if (answers) {
    return {
      isWell: false,
      text: "Its predictions have drifted, though no single column has: it meets other combinations than in training.",
    };
  }
  const few = columns.filter(({ status }) => status === "watch").length;
  const little = few > 0 ? `; ${plural(few, "column has", "columns have")} drifted a little` : "";
  return { isWell: true, text: `What it is asked looks like the training data${little}.` };
}

export interface Bin {
  label: string;
  training: number;
  lately: number | undefined;
}

/** The bins that hold anything: ranges in their order, of many categories the largest. */
export function binsOf(of: Distribution, most = 12): { bins: Bin[]; rest: number } {
  const { labels, training, lately } = {
    labels: of.bins,
    training: of.training,
    lately: of.lately,
  };
  const held = labels
    .map((label, index) => ({
      label,
      training: training[index] ?? 0,
      lately: lately?.[index],
    }))
    .filter((bin) => sizeOf(bin) > 0);
  if (held.length <= most) return { bins: held, rest: 0 };
  const largest = new Set(held.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, most));
  return { bins: held.filter((bin) => largest.has(bin)), rest: held.length - most };
}

const sizeOf = ({ training, lately }: Bin) => Math.max(training, lately ?? 0);

/** How one bin changed, for those who read and those who listen. */
export function changeOf({ training, lately }: Bin): string {
  const before = percent(training);
  return lately === undefined ? before : `${before} → ${percent(lately)}`;
}
