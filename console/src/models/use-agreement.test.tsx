import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { type Model, modelQuery, versionsQuery } from "../api/queries";
import { agrees, useAgreement } from "./use-agreement";

afterEach(cleanup);

const version = (
  model_version: string,
  status: Model["status"],
  deployment_status: Model["deployment_status"] = null,
) => ({ model_version, status, deployment_status });
const model = (
  model_version: string,
  status: Model["status"],
  ...deployed_versions: Model["deployed_versions"]
) => ({ model_name: "churn", model_version, status, deployed_versions }) as Model;

it.each([
  ["the newest that is ready", model("v1.0", "READY"), true],
  ["one that is still building", model("v1.1", "BUILDING"), false],
  ["an older state of it", model("v1.0", "BUILDING"), false],
])("compares a model of %s with its versions", (_, shown, expected) => {
  expect(agrees(shown, [version("v1.1", "BUILDING"), version("v1.0", "READY")])).toBe(expected);
});

it("compares with the newest version while none is ready", () => {
  expect(agrees(model("v1.0", "DRAFT"), [version("v1.0", "DRAFT")])).toBe(true);
  expect(agrees(model("v1.0", "READY"), [version("v1.0", "BUILDING")])).toBe(false);
});

it.each([
  ["DEPLOYED", ["v1.1"], true],
  ["DEPLOYING", [], true],
  ["DEPLOYED", ["v1.0"], false],
  ["DEPLOYED", [], false],
  [null, ["v1.1"], false],
] as const)(
  "compares a newest version that is %s with deployed %s",
  (state, deployed, expected) => {
    const versions = [version("v1.1", "READY", state), version("v1.0", "READY")];
    expect(agrees(model("v1.1", "READY", ...deployed), versions)).toBe(expected);
  },
);

it("asks for the versions again as soon as the model shows the end of a build, and once", () => {
  const queries = new QueryClient();
  const invalidate = vi.spyOn(queries, "invalidateQueries").mockResolvedValue();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const building = [version("v1.0", "BUILDING")];
  const { rerender } = renderHook(({ shown, listed }) => useAgreement(shown, listed), {
    wrapper,
    initialProps: { shown: model("v1.0", "BUILDING"), listed: building },
  });
  expect(invalidate).not.toHaveBeenCalled();
  rerender({ shown: model("v1.0", "READY"), listed: building });
  rerender({ shown: model("v1.0", "READY"), listed: building });
  const asked = invalidate.mock.calls.map(([filters]) => filters?.queryKey);
  expect(asked).toEqual([modelQuery("churn").queryKey, versionsQuery("churn").queryKey]);
  rerender({ shown: model("v1.0", "READY"), listed: [version("v1.0", "READY")] });
  expect(invalidate).toHaveBeenCalledTimes(2);
});
