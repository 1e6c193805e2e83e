/** What a query answers. */

export type Label = string | number | boolean | null;

export interface Series {
  label: string;
  data: (number | null)[];
}

export type ChartType = "bar_chart" | "line_chart" | "pie_chart" | "scatter_plot" | "histogram";

export interface Answer {
  query_id: string;
  session_id: string;
  result_type: "table" | "visualization";
  columns: string[];
  /** The unit of each column, empty where none is known. */
  units?: string[] | null;
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  execution_time_ms: number;
  generated_sql: string;
  interpretation?: string | null;
  verified?: boolean;
  /** The whole question that was read, where one followed another. */
  question?: string | null;
  /** What to know of how it was read. */
  warnings?: string[];
  visualization_type?: ChartType;
  title?: string;
  data?: { labels: Label[]; datasets: Series[] };
}

export type QueryType = "natural_language" | "sql";

export interface Question {
  type: QueryType;
  text: string;
  /** What is meant, of the choices that the question met. */
  choiceId?: string;
  /** The query that it goes on from. */
  follows?: string;
}

/** One way to read a question that may be meant in several. */
export interface Choice {
  choice_id: string;
  message: string;
  generated_sql: string;
  columns: string[];
  rows: unknown[][];
}
