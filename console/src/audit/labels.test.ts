import { expect, it } from "vitest";
import openapi from "../../../docs/openapi.json?raw";
import { labelOf, pageOf } from "./labels";

const document = JSON.parse(openapi) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
/** What only asks, or moves bytes, leaves no entry. */
const NO_ENTRY = /\.(plan|infer|many|ask|put)$/;
const CHANGING = Object.values(document.paths).flatMap((methods) =>
  ["post", "put", "patch", "delete"].flatMap((method) => methods[method]?.operationId ?? []),
);

it.each(CHANGING.filter((operation) => !NO_ENTRY.test(operation)))("says %s in words", (name) => {
  expect(labelOf(name)).toMatch(/^[A-Z][^._]*$/);
});

it("leaves what it does not know as it is", () => {
  expect(labelOf("things.of_tomorrow")).toBe("things.of_tomorrow");
});

it.each([
  ["uploads.create", "upload_01", "/uploads/$uploadId"],
  ["models.amend", "churn", "/models/$modelName"],
  ["ingestions.create", "conn_1", "/databases/$connectionId"],
  ["scoring.start", "exp_1", "/exports/$exportId"],
  ["keys.create", "key_1", undefined],
  ["users.set_password", "ann@example.org", undefined],
])("leads from %s of %s to its page", (operation, resource, page) => {
  expect(pageOf(operation, resource)?.to).toBe(page);
});
