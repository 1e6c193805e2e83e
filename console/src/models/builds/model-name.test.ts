import { expect, it } from "vitest";
import { NAME_PATTERN, nameFrom } from "./model-name";

it.each([
  ["Predict whether a customer will churn", "customer-churn"],
  ["Estimate the median house value", "median-house-value"],
  ["Überfällige Rechnungen", "uberfallige-rechnungen"],
  ["Who gets the loan?", "loan"],
  ["Type of fault observed by the crew", "type-fault-observed-crew"],
  ["Predict Churn, missing a churner is five times worse than a false alarm", "churn"],
  ["Predict the fare (in dollars) of a ride", "fare"],
  ["Hello: predict the fare", "hello"],
  ["What is it? The fare of a ride", "fare-ride"],
  ["Predict total_amount at 1.5 km", "total-amount-1-5"],
  ["", ""],
])("names %j", (intent, name) => {
  expect(nameFrom(intent)).toBe(name);
  if (name) expect(name).toMatch(NAME_PATTERN);
});
