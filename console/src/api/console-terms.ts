/** Says the server's errors in the console's own terms: controls in place of fields and calls of the API. */

/** What does in the console what a call of the API does. */
const CALLS: Record<string, string> = {
  "POST /data/upload": "“Upload” under Data",
  "GET /uploads": "the list under Data",
  "GET /uploads/{upload_id}": "its page under Data",
  "POST /uploads/status": "“Upload” under Data",
  "POST /models/{model_name}/plan": "“Plan again”",
  "GET /jobs/{job_id}": "the page Jobs",
  "DELETE /data/sessions/{session_id}": "“Close” under Ask",
  "POST /data/sessions": "the page Ask",
  "POST /data/use-upload": "the page Ask",
};

/** What a field of the API is called where it is filled in. */
const FIELDS: Record<string, string> = {
  dataset_id: "Data",
  dataset_name: "Name of the dataset",
  expiration_days: "Expires after (days)",
  goal: "Goal",
  intent: "What to predict",
  metric: "Metric to optimise",
  model_name: "Name",
  model_version: "Version",
  permission_level: "Permissions",
  plan_id: "Plan",
  query: "Question",
  session_id: "Data",
  target: "Column to predict",
  upload_id: "Data",
};

const CALL = /`?((?:GET|POST|PATCH|DELETE) \/[A-Za-z0-9_/{}-]*[A-Za-z0-9}])`?/g;
const PREFIX = /^([a-z_]+): /;
const QUOTED = /`(dataset_id|session_id|target|upload_id|plan_id)`/g;
/** What an error about a row says, whose quoted names are columns and stay. */
const OF_DATA = "training data";

export function inConsoleTerms(sentence: string): string {
  const said = sentence.replace(CALL, (all, call: string) => CALLS[call] ?? all);
  if (said.includes(OF_DATA)) return said;
  return said
    .replace(PREFIX, (all, field: string) => {
      const label = FIELDS[field];
      return label ? `${label}: ` : all;
    })
    .replace(QUOTED, (all, field: string) => {
      const label = FIELDS[field];
      return label ? `“${label}”` : all;
    });
}
