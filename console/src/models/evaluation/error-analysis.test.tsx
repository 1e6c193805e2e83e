import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Schemas } from "../../api/client";
import { ErrorAnalysis } from "./error-analysis";

afterEach(cleanup);

function shown(metrics: object, card: object) {
  render(
    <MantineProvider>
      <ErrorAnalysis card={{ metrics, ...card } as Schemas["ModelCard"]} />
    </MantineProvider>,
  );
}

const calibration = [
  { said: 0.2, true: 0.25, rows: 40 },
  { said: 0.9, true: 0.8, rows: 40 },
];

it("counts what is taken for what, by the names of the classes", () => {
  shown(
    {
      confusion_matrix: [
        [786, 77],
        [150, 161],
      ],
      calibration: { expected_error: 0.023 },
    },
    { target: "Churn", data: { target: { classes: ["No", true] } }, curves: { calibration } },
  );
  const row = within(screen.getByRole("region", { name: "Confusion matrix" }))
    .getByRole("rowheader", { name: "true" })
    .closest("tr");
  expect(row?.textContent).toBe("true150161");
  screen.getByText("Its most frequent mistake is to predict No where true is right (150 rows).");
  screen.getByText("Predicted probability of true, % →");
  screen.getByText("On average the two differ by 2.3 percentage points.");
  expect(screen.queryByText("Residuals")).toBeNull();
});

it("names the commonest mistakes where there are many classes", () => {
  const classes = Array.from({ length: 20 }, (_, index) => `kind ${index}`);
  const confusion_matrix = classes.map((_, truth) =>
    classes.map((_, answer) => (truth === answer ? 9 : Number(truth === 3 && answer === 4) * 2)),
  );
  shown({ confusion_matrix }, { target: "kind", data: { target: { classes } }, curves: {} });
  const mixes = within(screen.getByRole("region", { name: "Top confusions" }));
  expect(mixes.getByRole("listitem").textContent).toBe("kind 3 → kind 42");
  mixes.getByText("2 mistakes of 1 kind in all.");
});

it("shows how far off numbers are, and leaves out what older cards lack", () => {
  const point = { rows: 10, p5: -2, p25: -1, median: 0, p75: 1, p95: 2 };
  const residuals = [
    { predicted: 1, ...point },
    { predicted: 5, ...point },
  ];
  shown({ rmse: 1 }, { target: "price", data: { target: {} }, curves: { residuals } });
  screen.getByText("Residuals");
  expect(screen.queryByText("Confusion matrix")).toBeNull();
  cleanup();
  shown({ rmse: 1 }, { target: "price", data: { target: {} }, curves: {} });
  expect(screen.queryByRole("region")).toBeNull();
});
