import { expect, it } from "vitest";
import document from "../../../docs/openapi.json?raw";
import { FIELDS, inConsoleTerms } from "./console-terms";

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const SOURCES = import.meta.glob<string>("../**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const ERRORS = import.meta.glob<string>("../../../src/modelwright/*/errors.py", {
  query: "?raw",
  import: "default",
  eager: true,
});
const DOCUMENT: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
} = JSON.parse(document);

/** Fields that a page sends by itself, so that nobody can have got them wrong. */
const SENT_BY_ITSELF = new Set([
  "by",
  "choice_id",
  "description",
  "email_notification",
  "expiration_hours",
  "follows",
  "include_headers",
  "input_schema",
  "limit",
  "max_results",
  "offset",
  "options",
  "output_schema",
  "query_type",
  "sha256",
  "status",
  "tags",
  "task",
  "auto_scale",
]);

const TEXTS = Object.entries(SOURCES)
  .filter(([name]) => !/\.test\.|\.d\.ts$|console-terms/.test(name))
  .map(([, text]) => text);

/** What the console calls to change something. */
const CALLED = TEXTS.flatMap((text) => [
  ...text.matchAll(/api\.(POST|PATCH|DELETE)\(\s*"([^"]+)"/g),
]).map(([, method = "", path = ""]) => ({ method, path }));

/** The calls that sentences of the server name; what they fill in is a parameter. */
const NAMED = new Set(
  Object.values(ERRORS)
    .flatMap((text) => text.match(/(?:GET|POST|PATCH|DELETE) \/[a-z_/{}-]*[a-z_}]/g) ?? [])
    .map((call) => call.replaceAll("{{", "{").replaceAll("}}", "}")),
);

function membersOf(schema: Schema | undefined, inside: string[] = []): string[] {
  if (!schema) return [];
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) {
    return inside.includes(name)
      ? []
      : membersOf(DOCUMENT.components.schemas[name], [...inside, name]);
  }
  const inner = [
    ...Object.values(schema.properties ?? {}),
    schema.items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...inner.flatMap((one) => membersOf(one, inside)),
  ];
}

function fieldsOf(operation: Operation | undefined): string[] {
  const sent = (operation?.parameters ?? [])
    .filter((one) => one.in === "path")
    .map((one) => one.name);
  const bodies = Object.values(operation?.requestBody?.content ?? {});
  return [...sent, ...bodies.flatMap(({ schema }) => membersOf(schema))];
}

it.each([...NAMED])("says what does in the console what %s does", (call) => {
  expect(NAMED.size).toBeGreaterThan(5);
  expect(inConsoleTerms(`Do it with ${call}.`)).not.toMatch(/(GET|POST|PATCH|DELETE) \//);
});

it.each(CALLED)("names every field of $method $path as it is labelled", ({ method, path }) => {
  const fields = fieldsOf(DOCUMENT.paths[path]?.[method.toLowerCase()]);
  const nameless = fields.filter((field) => !(field in FIELDS) && !SENT_BY_ITSELF.has(field));
  expect(nameless).toEqual([]);
});

it("names no control that is not there", () => {
  const missing = Object.values(FIELDS).filter(
    (label) => !TEXTS.some((text) => text.includes(label)),
  );
  expect(missing).toEqual([]);
});

it.each([
  [
    "This upload is failed; make a new one with POST /data/upload.",
    "This upload is failed; make a new one with “Upload” under Data.",
  ],
  [
    "intent: no column fits; name it as `target`.",
    "What should it predict? – no column fits; name it as “Column to predict”.",
  ],
  ["upload_id: nothing of yours is named 'x'.", "Data: nothing of yours is named 'x'."],
  ["files.0.options.delimiter: must be one character.", "Delimiter: must be one character."],
  [
    "Wait until GET /uploads/upload_01a2 says complete.",
    "Wait until its page under Data says complete.",
  ],
  [
    "`target` is required: the training data never lacks it",
    "`target` is required: the training data never lacks it",
  ],
  [
    "A build takes `threshold` or `costs`.",
    "A build takes “Decision threshold” or “what errors cost”.",
  ],
  [
    'Too good: ask for `split` {"by": "group", "column": "the cow"}.',
    "Too good: ask for “Split” by group of “the cow”.",
  ],
  [
    "Name such values in null_values, or the type float in types.",
    "Name such values as “missing”, or the type float under “Read differently”.",
  ],
  ["It stays as it is: leave `decimal` out.", "It stays as it is: leave “Decimal separator” out."],
  [
    "If they are, leave them out by input_schema, or the metrics are too good.",
    "If they are, leave them out under “Learns from”, or the metrics are too good.",
  ],
  [
    "Call the columns by their names, or name those to learn from in `input_schema` of the build.",
    "Call the columns by their names, or name those to learn from in “Learns from”.",
  ],
  [
    "An input_schema without dates and times leaves them out.",
    "A choice of columns without dates and times leaves them out.",
  ],
  ["rows: must be told.", "rows: must be told."],
])("says controls for fields and calls: %s", (said, told) => {
  expect(inConsoleTerms(said)).toBe(told);
});
