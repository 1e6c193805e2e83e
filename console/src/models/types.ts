/** The parts of models that the document types loosely: plans, metrics, predictions. */
import type { Model } from "../api/queries";

export type Task = "binary" | "multiclass" | "regression";
export type FieldType = "string" | "integer" | "float" | "boolean" | "date";

export interface ExcludedColumn {
  column: string;
  reason: string;
}

export interface Plan {
  task: Task;
  target: string;
  metric: string;
  features: string[];
  types: Record<string, FieldType>;
  kinds: Record<string, string>;
  left_out: ExcludedColumn[];
  warnings: string[];
  reasons: string[];
  positive_class: string | number | boolean | null;
  /** The columns of time whose latest rows are held out. */
  later_by?: string[];
}

export type Interval = [number, number];

export interface Metrics {
  accuracy?: number | null;
  precision?: number | null;
  recall?: number | null;
  f1_score?: number | null;
  balanced_accuracy?: number;
  roc_auc?: number;
  rmse?: number;
  mae?: number;
  r2?: number;
  lift?: number;
  better_than_baseline?: boolean;
  /** Always the same answer; of rows in the order of time naive rules too. */
  baseline?: Partial<Record<"accuracy" | "mae" | "rmse", number>> &
    Partial<Record<"last_value" | "last_known" | "season", { accuracy?: number; mae?: number }>>;
  confidence?: Record<string, Interval>;
  confusion_matrix?: number[][];
  calibration?: { expected_error: number };
}

export interface CalibrationPoint {
  said: number;
  true: number;
  rows: number;
}

export interface ResidualPoint {
  predicted: number;
  rows: number;
  p5: number;
  p25: number;
  median: number;
  p75: number;
  p95: number;
}

/** The curves of a card: which there are depends on the task. */
export interface Curves {
  calibration?: CalibrationPoint[];
  residuals?: ResidualPoint[];
}

export interface Prediction {
  request_id: string;
  result: Record<string, string | number | boolean | null>;
  probabilities?: Record<string, number> | null;
  interval?: { low: number; high: number; level: number } | null;
  explanation?: Explanation;
  /** Values that training never saw, or had in another range. */
  warnings?: { field: string; message: string }[];
}

export interface Explanation {
  /** The scale that contributions add up on: `value`, `log1p(value)`, `log_odds` or a class's `score`. */
  link: string;
  /** The class that is explained; null of a number. */
  of: unknown;
  contributions: Record<string, number>;
}

export const TASKS: Record<Task, string> = {
  binary: "one of two classes",
  multiclass: "one of several classes",
  regression: "a number",
};

export const predictsNumber = ({ metrics }: Model) => metrics.rmse !== undefined;
