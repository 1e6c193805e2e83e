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
  rows: unknown[][];
  row_count: number;
  truncated: boolean;
  execution_time_ms: number;
  generated_sql: string;
  interpretation?: string | null;
  verified?: boolean;
  visualization_type?: ChartType;
  title?: string;
  data?: { labels: Label[]; datasets: Series[] };
}

export type QueryType = "natural_language" | "sql";

export interface Question {
  type: QueryType;
  text: string;
}
