import { describe, expect, it } from "vitest";
import {
  binsOf,
  byDrift,
  changeOf,
  type Distribution,
  joinNames,
  type Report,
  summaryOf,
} from "./copy";

const column = (name: string, status: string, more: Partial<Distribution> = {}): Distribution => ({
  name,
  kind: "category",
  status,
  psi: 0.1,
  noise: 0.02,
  bins: ["basic", "pro", "other", "missing"],
  training: [0.67, 0.33, 0, 0],
  lately: [0.35, 0.6, 0.05, 0],
  ...more,
});

function report(columns: Distribution[], answers = "stable"): Report {
  const predictions = column("churn", answers, { kind: "class" });
  return {
    model_name: "churn",
    model_version: "v1.0",
    since: "2026-03-01T12:00:00Z",
    until: "2026-03-02T12:00:00Z",
    rows: 1,
    examined: 1,
    measure: "psi",
    moved: [...columns, predictions].filter((one) => one.status === "moved").map((one) => one.name),
    columns,
    predictions,
    feedback: { truths: 0, unknown_classes: 0, metrics: {}, training_metrics: {} },
  };
}

describe("findingOf", () => {
  it("says from when on it compares", () => {
    const { isWell, text } = summaryOf(
      report([column("plan", "not_enough_data")], "not_enough_data"),
    );
    expect(isWell).toBe(true);
    expect(text).toBe("1 row was predicted. Drift is measured from 100 rows on.");
  });

  it("names the columns that moved, and says so of the answers", () => {
    const columns = [column("plan", "moved"), column("age", "stable"), column("fee", "moved")];
    expect(summaryOf(report(columns, "moved"))).toMatchObject({
      isWell: false,
      text: expect.stringMatching(
        /^plan and fee no longer look as in training, and its predictions have drifted with them\./,
      ),
    });
    expect(summaryOf(report([column("plan", "moved")])).text).toMatch(
      /^plan no longer looks as in training\./,
    );
  });

  it("tells answers that moved by themselves", () => {
    const { isWell, text } = summaryOf(report([column("plan", "stable")], "moved"));
    expect(isWell).toBe(false);
    expect(text).toMatch(/^Its predictions have drifted, though no single column has/);
  });

  it("is calm about what moved a little", () => {
    expect(summaryOf(report([column("plan", "watch"), column("age", "stable")]))).toEqual({
      isWell: true,
      text: "What it is asked looks like the training data; 1 column has drifted a little.",
    });
  });
});

it("names a few and counts the rest", () => {
  expect(joinNames(["a", "b", "c"], 5)).toBe("a, b, and c");
  expect(joinNames(["a", "b", "c"], 2)).toBe("a, b, and 1 more column");
});

it("puts what moved first and keeps the order of importance", () => {
  const columns = [
    column("a", "stable"),
    column("b", "watch"),
    column("c", "moved"),
    column("d", "stable"),
  ];
  expect(byDrift(columns).map(({ name }) => name)).toEqual(["c", "b", "a", "d"]);
});

describe("binsOf", () => {
  it("leaves out bins that never held anything", () => {
    const { bins, rest } = binsOf(column("plan", "moved"));
    expect(bins.map(({ label }) => label)).toEqual(["basic", "pro", "other"]);
    expect(rest).toBe(0);
  });

  it("keeps the largest of many, in their own order", () => {
    const many = column("plan", "moved", {
      bins: ["a", "b", "c"],
      training: [0.2, 0.1, 0.7],
      lately: [0.1, 0.6, 0.3],
    });
    const { bins, rest } = binsOf(many, 2);
    expect(bins.map(({ label }) => label)).toEqual(["b", "c"]);
    expect(rest).toBe(1);
  });
});

it("tells what a bin was and is", () => {
  expect(changeOf({ label: "pro", training: 0.33, lately: 0.6 })).toBe("33% → 60%");
  expect(changeOf({ label: "pro", training: 0.33, lately: undefined })).toBe("33%");
});
