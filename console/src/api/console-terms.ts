/** Says the server's errors in the console's own terms: controls in place of fields and calls of the API. */

/** What does in the console what a call of the API does. */
const CALLS: Record<string, string> = {
  "GET /auth/api-keys": "the page API keys",
  "GET /auth/sessions": "the page Security",
  "GET /data/sessions": "the page Ask",
  "GET /data/sessions/{session_id}/queries": "the page Ask",
  "GET /database/connections": "the page Databases",
  "GET /database/ingest": "the page Databases",
  "GET /jobs": "the page Jobs",
  "GET /models": "the page Models",
  "GET /models/{model_name}/deployments": "“Deployments” on the model’s page",
  "GET /models/{model_name}/versions": "the model’s page",
  "POST /data/upload": "“Upload” under Data",
  "GET /uploads": "the list under Data",
  "GET /uploads/{upload_id}": "its page under Data",
  "POST /uploads/status": "“Upload” under Data",
  "POST /uploads/{upload_id}/files/{filename}/parts": "“Resume” on its page under Data",
  "POST /models/{model_name}/plan": "“Plan again”",
  "GET /jobs/{job_id}": "the page Jobs",
  "GET /trash": "the page Trash",
  "DELETE /trash": "“Empty the trash” under Trash",
  "DELETE /data/sessions/{session_id}": "“Close” under Ask",
  "POST /data/sessions": "the page Ask",
  "POST /data/use-upload": "the page Ask",
};

/** What a field of the API is called where it is filled in. */
export const FIELDS: Record<string, string> = {
  actual: "Record outcomes",
  allowed_networks: "API keys",
  analysis_type: "Profile",
  code: "Code",
  column: "Column of the split",
  connection_id: "Databases",
  console_session_id: "Sessions",
  content_type: "File",
  costs: "what errors cost",
  database: "Database",
  dataset_id: "Data",
  dataset_ids: "Together with",
  dataset_name: "Name of the dataset",
  decimal: "Decimal separator",
  delimiter: "Delimiter",
  deployment_id: "Deployments",
  encoding: "Encoding",
  environment: "Environment",
  expiration_days: "Expires after (days)",
  false_negative: "Cost of a false negative",
  false_positive: "Cost of a false positive",
  filename: "File",
  files: "File",
  first_day_of_week: "First day of the week",
  first_month_of_fiscal_year: "First month of the fiscal year",
  format: "Format",
  goal: "Goal",
  header_rows: "Header rows",
  host: "Host",
  include: "Probabilities",
  ingestion_id: "Imports",
  intent: "What should it predict?",
  item_id: "Trash",
  job_id: "Jobs",
  keyId: "API keys",
  max_iterations: "Build",
  metric: "Metric to optimise",
  metrics: "Metrics",
  model_name: "Name",
  model_version: "Version",
  name: "Name",
  null_values: "Texts that mean “missing”",
  object_key: "File",
  password: "Password",
  permission_level: "Permissions",
  plan_id: "Plan again",
  port: "Port",
  query: "Question",
  query_id: "Question",
  replicas: "Replicas",
  request_id: "Request id",
  sample_weight: "Sample weight",
  schedule: "Schedule",
  scopes: "Permissions",
  session_id: "Data",
  sheet: "Sheet",
  size_bytes: "File",
  skip_rows: "Rows to skip above them",
  split: "Split",
  sql: "SQL",
  table: "Table",
  tables: "Catalog",
  target: "Column to predict",
  threshold: "Decision threshold",
  time_zone: "Time zone",
  type: "Kind of database",
  types: "Types of the columns",
  upload_id: "Data",
  username: "User",
};

/** Fields that sentences name in backticks; other words in them are values and columns. */
const QUOTED = new Set([
  "costs",
  "dataset_id",
  "decimal",
  "header_rows",
  "metric",
  "null_values",
  "plan_id",
  "sample_weight",
  "session_id",
  "skip_rows",
  "split",
  "sql",
  "target",
  "threshold",
  "upload_id",
]);

const CALL = /`?((?:GET|POST|PATCH|DELETE) \/[A-Za-z0-9_/{}-]*[A-Za-z0-9}])`?/g;
/** A field before what is wrong with it, perhaps within others: `files.0.options.delimiter: `. */
const PREFIX = /(^|[.;] )((?:[A-Za-z_0-9]+\.)*[A-Za-z_0-9]+): /g;
const IN_BACKTICKS = /`([a-z_]+)`/g;
/** A split as the API takes it. */
const SPLIT = /`split` \{"by": "(\w+)", "column": "([^"]*)"\}/g;
/** What an error about a row says, whose quoted names are columns and stay. */
const OF_DATA = "training data";

/** Where the plan lists the columns that a model learns from. */
const LEARNS_FROM = "Learns from";

/** What says in the words of the API how a file is to be read. */
const PHRASES: Record<string, string> = {
  "An input_schema": "A choice of columns",
  "as sheet": `as “${FIELDS.sheet}”`,
  "by input_schema": `under “${LEARNS_FROM}”`,
  "in null_values": "as “missing”",
  "in types": "under “Read differently”",
};
const PHRASE =
  /(?<![\w'])(?:An input_schema|as sheet|by input_schema|in null_values|in types)(?![\w'])/g;
/** The columns that a build is to learn from, which the plan lists. */
const INPUTS = /(?<![\w'])(?:input_schema|`input_schema`(?: of the build)?)(?![\w'])/g;

export function inConsoleTerms(sentence: string): string {
  const said = sentence.replace(CALL, (all, call: string) => controlOf(call) ?? all);
  if (said.includes(OF_DATA)) return said;
  return said
    .replace(SPLIT, (_, by: string, column: string) => `“${FIELDS.split}” by ${by} of “${column}”`)
    .replace(PREFIX, (all, before: string, path: string) => {
      const label = labelOf(path);
      return label ? `${before}${label}${/[?]$/.test(label) ? " – " : ": "}` : all;
    })
    .replace(IN_BACKTICKS, (all, field: string) => {
      const label = QUOTED.has(field) ? FIELDS[field] : undefined;
      return label ? `“${label}”` : all;
    })
    .replace(PHRASE, (all) => PHRASES[all] ?? all)
    .replace(INPUTS, `“${LEARNS_FROM}”`);
}

/** The label of the innermost field that has one. */
function labelOf(path: string): string | undefined {
  const known = path.split(".").findLast((part) => part in FIELDS);
  return known === undefined ? undefined : FIELDS[known];
}

/** What does what a call does; ids may stand in the place of its parameters. */
function controlOf(call: string): string | undefined {
  return (
    CALLS[call] ?? Object.entries(CALLS).find(([template]) => patternOf(template).test(call))?.[1]
  );
}

const patternOf = (template: string) =>
  new RegExp(`^${template.replace(/[/]/g, "\\/").replace(/\{\w+\}/g, "[^/]+")}$`);
