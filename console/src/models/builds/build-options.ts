/** What may be fixed of a build beside its data: the split, the threshold or the costs, the weight of rows. */
import type { Schemas } from "../../api/client";

export type Split = Schemas["Split"];

/** The form's fields as they are typed. */
export interface BuildOptions {
  splitBy: Split["by"] | "";
  splitColumn: string | null;
  decideBy: "" | "threshold" | "costs";
  threshold: string;
  falsePositive: string;
  falseNegative: string;
  sampleWeight: string | null;
}

export const NO_OPTIONS: BuildOptions = {
  splitBy: "",
  splitColumn: null,
  decideBy: "",
  threshold: "0.5",
  falsePositive: "1",
  falseNegative: "1",
  sampleWeight: null,
};

export const SPLITS: Record<Split["by"], string> = {
  random: "at random",
  time: "by time: the latest rows",
  group: "by group: whole groups",
  column: "by a column that says “test”",
};

/** Whether a split needs its column; the latest rows are found without. */
export const needsColumn = (by: BuildOptions["splitBy"]) => by === "group" || by === "column";

/** What is missing before the options can be sent; nothing where they can. */
export function optionsFault(options: BuildOptions): string | undefined {
  if (needsColumn(options.splitBy) && !options.splitColumn)
    return "Choose the column of the split.";
  if (options.decideBy === "threshold") {
    const value = Number(options.threshold);
    if (!(value > 0 && value < 1)) return "The threshold must lie above 0 and below 1.";
  }
  if (options.decideBy === "costs") {
    const costs = [Number(options.falsePositive), Number(options.falseNegative)];
    if (costs.some((cost) => !(cost > 0))) return "Both costs must be above 0.";
  }
  return undefined;
}

/** The members of the request that the options fix; what is left open is chosen by the build. */
export function requestOptions(options: BuildOptions) {
  return {
    split: options.splitBy
      ? { by: options.splitBy, column: options.splitBy === "random" ? null : options.splitColumn }
      : null,
    threshold: options.decideBy === "threshold" ? Number(options.threshold) : null,
    costs:
      options.decideBy === "costs"
        ? {
            false_positive: Number(options.falsePositive),
            false_negative: Number(options.falseNegative),
          }
        : null,
    sample_weight: options.sampleWeight,
  };
}
