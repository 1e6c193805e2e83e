import { QueryClient, QueryObserver, type QueryObserverOptions } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { Problem } from "./problem";
import { modelQuery, modelsQuery, monitoringQuery, shouldRetry, versionsQuery } from "./queries";

const refused = (status: number, after?: number) =>
  new Problem("no", status, "code", [], undefined, after);

describe("isWorthAnotherTry", () => {
  it.each([
    ["a fault", new Problem("oh", 503, "code"), true],
    ["a server that is away", new Problem("away", 0, "absent"), true],
    ["an answer that breaks off", new TypeError("network error"), true],
    ["a rate that was exceeded", refused(429, 3), true],
    ["a lock-out", refused(429, 900), false],
    ["what is not there", refused(404), false],
  ])("judges %s", (_, error, isWorth) => {
    expect(shouldRetry(0, error)).toBe(isWorth);
    expect(shouldRetry(2, error)).toBe(false);
  });
});

it("looks again soon for the first row that a version is asked", async () => {
  vi.useFakeTimers();
  const queryFn = vi.fn().mockResolvedValueOnce({ rows: 0 }).mockResolvedValue({ rows: 1 });
  const options = { ...monitoringQuery("churn", "1.0", 24), queryFn };
  const client = new QueryClient();
  const leave = new QueryObserver(client, options).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.getQueryData<{ rows: number }>(options.queryKey)?.rows).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(queryFn).toHaveBeenCalledTimes(2);
  leave();
  vi.useRealTimers();
});

describe("what shows a deployment", () => {
  const deployed = (deployment_status: string) => ({ status: "READY", deployment_status });
  const all = <T>(options: T) => options as unknown as QueryObserverOptions;
  it.each([
    ["a model", all(modelQuery("churn")), (it: object) => it],
    ["the list of models", all(modelsQuery()), (it: object) => ({ models: [it] })],
    ["a model's versions", all(versionsQuery("churn")), (it: object) => ({ versions: [it] })],
  ])("is asked for again until it stands, by %s", async (_, query, inAnswer) => {
    vi.useFakeTimers();
    const queryFn = vi
      .fn()
      .mockResolvedValueOnce(inAnswer(deployed("DEPLOYING")))
      .mockResolvedValue(inAnswer(deployed("DEPLOYED")));
    const client = new QueryClient();
    const leave = new QueryObserver(client, { ...query, queryFn }).subscribe(() => {});
    await vi.advanceTimersByTimeAsync(30_000);
    expect(client.getQueryData(query.queryKey ?? [])).toEqual(inAnswer(deployed("DEPLOYED")));
    expect(queryFn).toHaveBeenCalledTimes(2);
    leave();
    vi.useRealTimers();
  });
});
