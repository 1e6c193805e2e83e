import { describe, expect, it } from "vitest";
import type { Metrics, Plan } from "../types";
import {
  confusionSentence,
  formatMetrics,
  headline,
  holdoutSentence,
  liftBasis,
  liftSentence,
  noteOf,
} from "./metrics-format";

const plan: Plan = {
  task: "binary",
  target: "Churn",
  metric: "log_loss",
  features: [],
  types: {},
  kinds: {},
  left_out: [],
  warnings: [],
  reasons: [],
  positive_class: "Yes",
};

const churn: Metrics = {
  accuracy: 0.8126,
  precision: 0.69,
  recall: 0.53,
  f1_score: 0.6,
  lift: 0.29,
  better_than_baseline: true,
  baseline: { accuracy: 0.735 },
  confidence: { accuracy: [0.789, 0.835] },
  confusion_matrix: [
    [789, 74],
    [146, 165],
  ],
};

describe("headline", () => {
  const held = { classes: ["No", "Yes"], shares: [0.735, 0.265] };

  it("sets classes against the most frequent answer, counted in a hundred rows", () => {
    expect(headline(churn, plan, held)).toBe(
      "On rows it never saw it is right in 81 of 100; the baseline, always predicting “No”, is right in 74.",
    );
  });

  it("spells shares where a hundred rows would not tell the two apart", () => {
    const rare: Metrics = { accuracy: 0.9962, baseline: { accuracy: 0.9951 } };
    expect(headline(rare, plan)).toBe(
      "On rows it never saw it is right in 99.6%; the baseline, always predicting the most frequent class, is right in 99.5%.",
    );
  });

  it("tells how far numbers are off, and what is usual", () => {
    const metrics: Metrics = {
      accuracy: null,
      mae: 30211.6,
      r2: 0.8375,
      baseline: { mae: 88353.6 },
    };
    const regression: Plan = { ...plan, task: "regression", target: "price" };
    expect(headline(metrics, regression, { p25: 129_900, p75: 214_000 })).toBe(
      "On rows it never saw its price is off by 30,212 on average; the baseline is off by 88,354. The middle half of price lies between 129,900 and 214,000. It explains 84% of the differences.",
    );
  });
});

describe("of rows in the order of time", () => {
  it("sets a number against the best of what needs no model", () => {
    const metrics: Metrics = {
      mae: 3.2,
      r2: 0.9,
      better_than_baseline: false,
      baseline: { mae: 40, last_value: { mae: 0.8 }, last_known: { mae: 12 } },
    };
    expect(headline(metrics, { ...plan, task: "regression", target: "price" })).toMatch(
      /the baseline, giving the value of the row before, is off by 0\.8\./,
    );
  });

  it("sets a class against the row before where that is right more often", () => {
    const metrics: Metrics = {
      accuracy: 0.7,
      baseline: { accuracy: 0.6, last_value: { accuracy: 0.95 }, last_known: { accuracy: 0.5 } },
    };
    expect(headline(metrics, plan)).toBe(
      "On rows it never saw it is right in 70 of 100; the baseline, giving the value of the row before, is right in 95.",
    );
  });
});

describe("an R² below 0", () => {
  it("is told as what it says, not as a share of nothing", () => {
    const metrics: Metrics = { mae: 2, r2: -1.3, baseline: { mae: 3 } };
    expect(headline(metrics, { ...plan, task: "regression" })).toContain(
      "It explains none of the differences: its large misses cost more",
    );
  });
});

describe("liftSentence", () => {
  it("tells how much is won", () => {
    expect(liftSentence(churn)).toBe("29% better than baseline");
  });

  it("praises nothing that is not better", () => {
    expect(liftSentence({ lift: 0.01, better_than_baseline: false })).toBeUndefined();
  });

  it("rounds a sure gain to no gain at all never", () => {
    expect(liftSentence({ lift: 0.002, better_than_baseline: true })).toBe(
      "under 1% better than baseline",
    );
  });
});

describe("measures", () => {
  it("gives classes their four, with what is likely", () => {
    expect(formatMetrics(churn).map(({ name, value }) => `${name} ${value}`)).toEqual([
      "Accuracy 81.3%",
      "Precision 69.0%",
      "Recall 53.0%",
      "F1 60.0%",
    ]);
    expect(formatMetrics(churn)[0]?.range).toBe("78.9% to 83.5%");
  });

  it("spells what is 1 at best to three digits", () => {
    const values = formatMetrics({ r2: -0.0000624, roc_auc: 0.84812 }).map(({ value }) => value);
    expect(values).toEqual(["0.848", "0.000"]);
  });

  it("spells a range as its value", () => {
    const [error] = formatMetrics({ mae: 23.94, confidence: { mae: [19.84, 28.04] } });
    expect([error?.value, error?.range]).toEqual(["23.9", "19.8 to 28"]);
  });

  it("gives no range of one value", () => {
    const [recall] = formatMetrics({ recall: 1, confidence: { recall: [0.9999, 1] } });
    expect(recall?.range).toBeUndefined();
  });

  it("says of several classes that it is their mean", () => {
    const confusion_matrix = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const [precision] = formatMetrics({ precision: 1, confusion_matrix });
    expect(precision?.meaning).toMatch(/the mean over classes$/);
  });

  it("gives what is never answered no precision", () => {
    const silent: Metrics = {
      precision: 0,
      recall: 0,
      confusion_matrix: [
        [90, 0],
        [10, 0],
      ],
    };
    expect(formatMetrics(silent).map(({ value }) => value)).toEqual(["–", "0.0%"]);
  });

  it("leaves out what does not apply", () => {
    expect(
      formatMetrics({ accuracy: null, rmse: 2, mae: 1, r2: 0.5 }).map(({ name }) => name),
    ).toEqual(["MAE", "RMSE", "R²"]);
  });
});

describe("confusionSentence", () => {
  it("counts one as one", () => {
    const metrics = {
      confusion_matrix: [
        [9, 1],
        [0, 1],
      ],
    };
    expect(confusionSentence(metrics, plan)).toBe(
      "Of 1 row where Churn is Yes it found 1 and missed 0; it raised 1 false alarm.",
    );
  });

  it("counts what was found, missed and cried in vain", () => {
    expect(confusionSentence(churn, plan)).toBe(
      "Of 311 rows where Churn is Yes it found 165 and missed 146; it raised 74 false alarms.",
    );
  });

  it("says what to do where the case is never answered", () => {
    const metrics: Metrics = {
      better_than_baseline: true,
      confusion_matrix: [
        [90, 0],
        [10, 0],
      ],
    };
    expect(confusionSentence(metrics, plan)).toMatch(
      /missed 10; it raised 0 false alarms\. It never predicts Yes: go by its probabilities, or retrain it to improve F1\.$/,
    );
    const guessing = { ...metrics, better_than_baseline: false };
    expect(confusionSentence(guessing, plan)).not.toMatch(/never predicts/);
  });

  it("is silent where there is no one case to find", () => {
    expect(confusionSentence(churn, { ...plan, task: "multiclass" })).toBeUndefined();
  });
});

describe("keptAside", () => {
  it("counts the rows, and names what the latest are told by", () => {
    expect(holdoutSentence(1200, 200, plan)).toBe(
      "Of 1,200 rows 200 were held out to measure with.",
    );
    expect(holdoutSentence(1200, 200, { ...plan, later_by: ["year", "month"] })).toBe(
      "Of 1,200 rows the latest 200 by year and month were held out to measure with.",
    );
  });
});

describe("noteOf", () => {
  it("tells the interval and the baseline of the same measure", () => {
    const [error] = formatMetrics({
      rmse: 111_576,
      confidence: { rmse: [108_670, 114_408] },
      baseline: { rmse: 115_393 },
    });
    expect(error && noteOf(error)).toBe(
      "Root mean squared error: as MAE, but large misses count more (likely 108,670 to 114,408; baseline 115,393)",
    );
  });

  it.each([
    [{ accuracy: 0.8 }, "Share of rows it gets right"],
    [
      { accuracy: 0.8, baseline: { accuracy: 0.73 } },
      "Share of rows it gets right (baseline 73.0%)",
    ],
  ])("tells of %o what there is", (metrics, note) => {
    const [share] = formatMetrics(metrics);
    expect(share && noteOf(share)).toBe(note);
  });
});

it("says by which measure a model is better than the baseline", () => {
  const better = { lift: 0.26, better_than_baseline: true };
  expect(liftBasis(better, { task: "regression" } as Plan)).toMatch(/RMSE/);
  expect(liftBasis(better, { task: "binary" } as Plan)).toMatch(/log loss/);
  expect(liftBasis({}, { task: "binary" } as Plan)).toBeUndefined();
});
