/** What an analysis found, put into the order and the words of a reader. */
import type { Schemas } from "../api/client";
import { decimal, exact, plural, rounded, tellsYears, whole } from "../ui/number-format";

type Analysis = Schemas["AnalysisAnswer"];
export type FileAnalysis = Schemas["FileAnalysis"];

interface Severity {
  word: string;
  colour: string;
  rank: number;
}

const SEVERITIES: Record<string, Severity> = {
  high: { word: "high", colour: "red", rank: 0 },
  medium: { word: "medium", colour: "orange", rank: 1 },
};
const LIGHT: Severity = { word: "low", colour: "gray", rank: 2 };

export const severityOf = (severity: string): Severity => SEVERITIES[severity] ?? LIGHT;

/** What to do about one file; each sentence begins with the file's name, which is known here. */
export function recommendationsFor({ recommendations }: Analysis, filename: string): string[] {
  const start = `${filename}: `;
  return recommendations
    .filter(({ message }) => message.startsWith(start))
    .toSorted((a, b) => severityOf(a.importance).rank - severityOf(b.importance).rank)
    .map(({ message }) => message.slice(start.length));
}

/** What stands out, the worst first; notices of the file stand above it and are not told again. */
export function bySeverity(insights: FileAnalysis["insights"]): FileAnalysis["insights"] {
  const found = insights.filter(({ type }) => type !== "rows_left_out");
  return found.toSorted((a, b) => severityOf(a.severity).rank - severityOf(b.severity).rank);
}

/** The pairs of columns that go together most. */
export function correlationsOf({ correlations }: FileAnalysis, most = 10) {
  return correlations
    .toSorted((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation))
    .slice(0, most)
    .map(({ feature1, feature2, correlation }) => ({
      label: `${feature1} and ${feature2}`,
      value: correlation,
    }));
}

export interface ColumnSummary {
  name: string;
  missing: string;
  distinct: string;
  values: string;
}

/** Each column in a line: how much is missing, how many values, and which. */
export function columnSummaries({ stats }: FileAnalysis): ColumnSummary[] {
  return Object.keys(stats.column_types).map((name) => {
    const missing = stats.missing_values[name] ?? 0;
    return {
      name,
      missing: missing === 0 ? "none" : shareOf(missing, stats.rows),
      distinct: whole(stats.distinct_values[name] ?? 0),
      values: valuesOf(stats, name),
    };
  });
}

function valuesOf(stats: FileAnalysis["stats"], name: string): string {
  const numbers = stats.summary[name];
  if (numbers && numbers.min !== null && numbers.max !== null) {
    const spelt = (value: number | string) =>
      typeof value === "string" ? exact(value) : rounded(value, !tellsYears(name));
    const middle = numbers.median === null ? "" : `, median ${spelt(numbers.median)}`;
    return `${spelt(numbers.min)} to ${spelt(numbers.max)}${middle}`;
  }
  const dates = stats.date_ranges[name];
  if (dates?.min && dates.max) return `${dates.min} to ${dates.max}`;
  const frequent = Object.keys(stats.categorical_counts[name] ?? {});
  const shown = frequent
    .slice(0, 3)
    .map((value) => (value.trim() ? value : "(blank)"))
    .join(", ");
  const rest = (stats.distinct_values[name] ?? 0) - 3;
  return rest > 0 ? `${shown} and ${plural(rest, "other")}` : shown || "–";
}

function shareOf(part: number, whole: number): string {
  const share = part / Math.max(1, whole);
  return share < 0.001 ? "under 0.1%" : `${decimal(100 * share, share < 0.1 ? 2 : 3)}%`;
}
