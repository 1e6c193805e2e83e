/** The console speaks the field's words: no words of the API outside the API tab, one formatter each for numbers and times. */
import { expect, it } from "vitest";

const SOURCES = import.meta.glob<string>("./**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});
const CODE = Object.entries(SOURCES).filter(([name]) => !/\.test\.|\.d\.ts$|^\.\/test-/.test(name));

/** Where words of the API belong: the snippets of the API tab, and what translates them. */
const OF_THE_API = ["./models/predictions/snippets.ts", "./api/console-terms.ts"];

/** Texts that are shown: between tags, and in the attributes that are read out or seen. */
function shownTexts(text: string): string[] {
  const inAttributes = text.matchAll(
    /\b(?:label|title|description|placeholder|aria-label|about)=(?:"([^"]+)"|\{`([^`]+)`\})/g,
  );
  const headings = [...text.matchAll(/\bcolumns=\{\[([^\]]*)\]\}/g)].flatMap(([, list]) => [
    ...(list ?? "").matchAll(/"([A-Z][^"]*)"/g),
  ]);
  const betweenTags = text.matchAll(/>\s*([A-Z][^<>{}]*[a-z.?!:])\s*</g);
  return [...inAttributes, ...headings, ...betweenTags]
    .map(([, one, other]) => (one ?? other ?? "").replace(/\$\{[^}]*\}/g, "…").trim())
    .filter((shown) => !/;|=>|\breturn\b/.test(shown));
}

const API_WORDS =
  /`|\b[a-z]+_[a-z_]+\b|\b(?:READY|DRAFT|BUILDING|DEPLOYED|UNDEPLOYED|PENDING)\b|\b(?:GET|POST|PATCH|DELETE) \//;

/** What was said once, and the standard term that took its place. */
const REPLACED: Record<string, string> = {
  "What it looks at": "Feature importance",
  "What it mixes up": "Confusion matrix",
  "How sure it may be": "Calibration",
  "How far off it is": "Residuals",
  "closer than guessing": "better than baseline",
  "Not looked at yet": "No profile yet",
  "Look closer": "Profile this table",
  "What goes together": "Correlations",
  "Bring in": "Import",
  Forget: "Remove",
  "It is deployed nowhere": "Not deployed",
  "Nothing was asked in this time": "No predictions in this period",
  "Nothing was done yet": "No jobs yet",
  "What it is asked": "Input drift",
  "What it answered": "Prediction drift",
  "How right it was": "Live accuracy",
  "Tell what turned out": "Record outcomes",
  "truths were taken": "outcomes recorded",
  "Take it back": "Undo",
  "Keep it": "Cancel",
  "It may": "Permissions",
};

it.each(CODE.filter(([name]) => !OF_THE_API.includes(name)))(
  "shows no words of the API in %s",
  (_, text) => {
    expect(shownTexts(text).filter((shown) => API_WORDS.test(shown))).toEqual([]);
  },
);

it.each(CODE)("says warnings and failures in the console's own terms in %s", (_, text) => {
  expect(text).not.toMatch(/[>\n]\s*\{(?:warning|error|\w+\.error)\}/);
});

it.each(Object.entries(REPLACED))("says no longer “%s” but “%s”", (old, term) => {
  const shown = CODE.flatMap(([name, text]) => shownTexts(text).map((one) => [name, one] as const));
  // As a question it may go on as the subtitle of the term: “What it looks at: how much …”.
  const isPhrase = old.includes(" ") && !/^(?:What|How|It|Keep|Take) /.test(old);
  const strays = shown.filter(([, one]) => one === old || (isPhrase && one.includes(old)));
  expect(strays).toEqual([]);
  expect(CODE.some(([, text]) => text.includes(term))).toBe(true);
});

it.each([
  [
    "numbers",
    /toLocaleString\(|Intl\.NumberFormat|(?<!Number\([^\n]*)\.to(?:Fixed|Precision)\(/,
    "number-format",
  ],
  [
    "times",
    /toLocaleDateString|toLocaleTimeString|Intl\.(?:DateTime|RelativeTime)Format/,
    "time-format",
  ],
])("has one formatter for %s", (_, other, own) => {
  const strays = CODE.filter(([name, text]) => !name.includes(own) && other.test(text));
  expect(strays.map(([name]) => name)).toEqual([]);
});

it("finds strays", () => {
  expect(shownTexts('<Text size="sm">Set input_schema first.</Text>')).toEqual([
    "Set input_schema first.",
  ]);
  expect(shownTexts('<Select label="dataset_id" />')).toEqual(["dataset_id"]);
  expect(shownTexts('<TableHead columns={["Name", { title: "Upload_id" }]} />')).toEqual([
    "Name",
    "Upload_id",
  ]);
  expect(API_WORDS.test("It is READY.")).toBe(true);
});
