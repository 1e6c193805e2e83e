/** Says what a model's metrics mean, in sentences. */
import { decimal, fixed, percent, plural, whole } from "../../ui/number-format";
import type { Interval, Metrics, Plan } from "../types";

export interface FormattedMetric {
  name: string;
  value: string;
  range: string | undefined;
  /** The same measure of always giving the same answer, where it is known. */
  baseline: string | undefined;
  meaning: string;
}

/** What a measure means, how far it may be off, and what needs no model. */
export function noteOf({ meaning, range, baseline }: FormattedMetric): string {
  const more = [range && `likely ${range}`, baseline && `baseline ${baseline}`].filter(Boolean);
  return more.length > 0 ? `${meaning} (${more.join("; ")})` : meaning;
}

/** What the training rows hold of the column to predict: classes with their shares, or quartiles. */
export interface TargetDistribution {
  classes?: unknown[];
  shares?: number[];
  p25?: number;
  p75?: number;
}

/** The one sentence that counts. */
export function headline(metrics: Metrics, plan: Plan, held: TargetDistribution = {}): string {
  const { baseline = {} } = metrics;
  if (plan.task === "regression") {
    const { mae, r2 } = metrics;
    if (mae === undefined) return "";
    const { rule, value } = strongest(baseline, "mae", (one, other) => one < other);
    const before =
      value === undefined ? "" : `; the baseline${commas(rule)} is off by ${decimal(value)}`;
    return `On rows it never saw its ${plan.target} is off by ${decimal(mae)} on average${before}.${quartileSentence(plan.target, held)}${r2Sentence(r2)}`;
  }
  const { accuracy } = metrics;
  if (typeof accuracy !== "number") return "";
  const { rule, value } = strongest(baseline, "accuracy", (one, other) => one > other);
  const [right, simpler] = asCounts(accuracy, value);
  const said = rule ?? `always ${majorityBaseline(held)}`;
  const before = simpler ? `; the baseline, ${said}, is right in ${simpler}` : "";
  return `On rows it never saw it is right in ${right}${before}.`;
}

/** What rows in the order of time are told without a model. */
const NAIVE_RULES = [
  ["last_value", "giving the value of the row before"],
  ["last_known", "giving the last value that was learnt from"],
  ["season", "giving the value of a season before"],
] as const;

/** The best of what needs no model: always the same answer (no rule), or a naive rule. */
function strongest(
  baseline: NonNullable<Metrics["baseline"]>,
  metric: "mae" | "accuracy",
  isBetter: (one: number, other: number) => boolean,
): { rule?: string; value?: number } {
  let best: { rule?: string; value?: number } = { value: baseline[metric] };
  for (const [name, rule] of NAIVE_RULES) {
    const value = baseline[name]?.[metric];
    if (value === undefined) continue;
    if (best.value === undefined || isBetter(value, best.value)) best = { rule, value };
  }
  return best;
}

const commas = (rule: string | undefined) => (rule ? `, ${rule},` : "");

/** Shares as counts in a hundred, which are read the easiest, where those tell the two apart. */
function asCounts(share: number, other?: number): [string, string?] {
  const [count, less] = [share, other ?? 0].map((one) => Math.round(100 * one));
  const isClear = count !== less && Math.max(count ?? 0, less ?? 0) < 100;
  if (isClear) return [`${count} of 100`, other === undefined ? undefined : `${less}`];
  return [percent(share), other === undefined ? undefined : percent(other)];
}

function majorityBaseline({ classes = [], shares = [] }: TargetDistribution): string {
  const name = classes[shares.indexOf(Math.max(...shares))];
  return name === undefined ? "predicting the most frequent class" : `predicting “${name}”`;
}

function quartileSentence(target: string, { p25, p75 }: TargetDistribution): string {
  if (p25 === undefined || p75 === undefined || p25 === p75) return "";
  return ` The middle half of ${target} lies between ${decimal(p25)} and ${decimal(p75)}.`;
}

function r2Sentence(r2: number | undefined): string {
  if (r2 === undefined) return "";
  if (r2 > 0) return ` It explains ${percent(r2, 0)} of the differences.`;
  return " It explains none of the differences: its large misses cost more than always answering the mean would.";
}

/** Which rows it was measured on. */
export function holdoutSentence(rows: number, heldOut: number, plan: Plan): string {
  const by = plan.later_by ?? [];
  const latest = by.length ? `the latest ${whole(heldOut)} by ${by.join(" and ")}` : whole(heldOut);
  return `Of ${plural(rows, "row")} ${latest} were held out to measure with.`;
}

/** How much better than knowing nothing, where it is. */
export function liftSentence(metrics: Metrics): string | undefined {
  const { lift, better_than_baseline } = metrics;
  if (lift === undefined || better_than_baseline === false) return undefined;
  return `${percent(lift, 0)} better than baseline`;
}

/** By which measure a model is said to be better than the baseline. */
export function liftBasis(metrics: Metrics, { task }: Plan): string | undefined {
  if (liftSentence(metrics) === undefined) return undefined;
  const measure =
    task === "regression" ? "RMSE" : "log loss, which also counts how sure it is of each answer";
  return `“Better than baseline” goes by ${measure}.`;
}

const MEANINGS: [keyof Metrics, string, string][] = [
  ["accuracy", "Accuracy", "Share of rows it gets right"],
  ["precision", "Precision", "When it says so, how often it is true"],
  ["recall", "Recall", "How many of the true cases it finds"],
  ["f1_score", "F1", "Precision and recall in one number"],
  ["roc_auc", "ROC AUC", "How well it ranks cases; 0.5 is chance, 1 perfect"],
  ["mae", "MAE", "Mean absolute error: how far off it is on average"],
  ["rmse", "RMSE", "Root mean squared error: as MAE, but large misses count more"],
  ["r2", "R²", "Share of the differences it explains; 0 or less is none"],
];
/** Above two classes these are means over them. */
const OF_MANY: Partial<Record<keyof Metrics, string>> = {
  precision: "When it answers a class, how often it is true; the mean over classes",
  recall: "How many rows of a class it finds; the mean over classes",
};
const SHARES = new Set<keyof Metrics>(["accuracy", "precision", "recall", "f1_score"]);
const UP_TO_ONE = new Set<keyof Metrics>(["roc_auc", "r2"]);

const share = fixed(1, "percent");
const upToOne = fixed(3);

function formatterOf(key: keyof Metrics): (value: number) => string {
  if (SHARES.has(key)) return share;
  return UP_TO_ONE.has(key) ? upToOne : (value) => decimal(value);
}

export function formatMetrics(metrics: Metrics): FormattedMetric[] {
  const isOfMany = (metrics.confusion_matrix?.length ?? 0) > 2;
  return MEANINGS.flatMap(([key, name, ofTwo]) => {
    const meaning = (isOfMany && OF_MANY[key]) || ofTwo;
    const value = metrics[key];
    if (typeof value !== "number") return [];
    if (key === "precision" && neverPredictsPositive(metrics)) {
      return [
        { name, value: "–", range: undefined, baseline: undefined, meaning: "It never says so" },
      ];
    }
    const spelt = formatterOf(key);
    const range = intervalOf(metrics.confidence?.[key], spelt);
    const before = (metrics.baseline as Record<string, unknown> | undefined)?.[key];
    const baseline = typeof before === "number" ? spelt(before) : undefined;
    return [{ name, value: spelt(value), range, baseline, meaning }];
  });
}

/** Whether it never answers the case to find, as with rare ones, whose chances may still tell who is likelier. */
function neverPredictsPositive({
  confusion_matrix: [negatives, positives, ...others] = [],
}: Metrics): boolean {
  return others.length === 0 && negatives?.[1] === 0 && positives?.[1] === 0;
}

function intervalOf(range: Interval | undefined, spelt: (value: number) => string) {
  const [low, high] = range?.map(spelt) ?? [];
  return low === high ? undefined : `${low} to ${high}`;
}

/** Tells hits and misses of the case to find. */
export function confusionSentence(metrics: Metrics, plan: Plan): string | undefined {
  const [negatives, positives] = metrics.confusion_matrix ?? [];
  if (plan.task !== "binary" || plan.positive_class === null) return undefined;
  const [missed, found] = positives ?? [];
  const falseAlarms = negatives?.[1];
  if (missed === undefined || found === undefined || falseAlarms === undefined) return undefined;
  const total = plural(missed + found, "row");
  const advice =
    neverPredictsPositive(metrics) && metrics.better_than_baseline !== false
      ? ` It never predicts ${plan.positive_class}: go by its probabilities, or retrain it to improve F1.`
      : "";
  return `Of ${total} where ${plan.target} is ${plan.positive_class} it found ${whole(found)} and missed ${whole(missed)}; it raised ${plural(falseAlarms, "false alarm")}.${advice}`;
}
