import { expect, it } from "vitest";
import { inConsoleTerms } from "./console-terms";

it.each([
  [
    "This upload is failed; make a new one with POST /data/upload.",
    "This upload is failed; make a new one with “Upload” under Data.",
  ],
  [
    "intent: no column fits; name it as `target`.",
    "What to predict: no column fits; name it as “Column to predict”.",
  ],
  ["upload_id: nothing of yours is named 'x'.", "Data: nothing of yours is named 'x'."],
  [
    "`target` is required: the training data never lacks it",
    "`target` is required: the training data never lacks it",
  ],
  ["tables: must be told.", "tables: must be told."],
])("says controls for fields and calls: %s", (said, told) => {
  expect(inConsoleTerms(said)).toBe(told);
});
