import { expect, it } from "vitest";
import { NAME_PATTERN, nameFrom } from "./model-name";

it.each([
  ["Predict whether a customer will churn", "customer-churn"],
  ["Estimate the median house value", "median-house-value"],
  ["Überfällige Rechnungen", "uberfallige-rechnungen"],
  ["Who gets the loan?", "loan"],
  ["Type of fault observed by the crew", "type-fault-observed-crew"],
  ["", ""],
])("names %j", (intent, name) => {
  expect(nameFrom(intent)).toBe(name);
  if (name) expect(name).toMatch(NAME_PATTERN);
});
