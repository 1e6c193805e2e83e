import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Answer, ChartType } from "../types";
import { Chart } from "./chart";

const size = vi.hoisted(() => ({ width: 600, height: 0 }));
vi.mock("@mantine/hooks", async (original) => ({
  ...(await original<object>()),
  useElementSize: () => ({ ref: () => undefined, ...size }),
}));

afterEach(cleanup);

function draw(kind: ChartType, columns: string[], width = 600, values = [3, 1, 2]) {
  size.width = width;
  const data = {
    labels: kind === "scatter_plot" ? [1, 2, 3] : ["a", "b", "c"],
    datasets: [{ label: columns[1] ?? "", data: values }],
  };
  const answer = { visualization_type: kind, columns, data } as unknown as Answer;
  return render(
    <MantineProvider>
      <Chart answer={answer} />
    </MantineProvider>,
  ).container;
}

it.each<[ChartType, string[], string, string]>([
  ["bar_chart", ["city", "count"], "count →", "↑ city"],
  ["line_chart", ["month", "sum_amount"], "month →", "↑ sum_amount"],
  ["scatter_plot", ["tenure", "charges"], "tenure →", "↑ charges"],
  ["histogram", ["tenure_from", "count"], "tenure →", "↑ count"],
])("titles both axes of a %s", (kind, columns, across, up) => {
  draw(kind, columns);
  screen.getByText(across);
  screen.getByText(up);
});

it("titles no axes where there are none", () => {
  expect(draw("pie_chart", ["city", "count"]).textContent).not.toMatch(/[↑→]/);
});

it.each<ChartType>(["bar_chart", "line_chart", "scatter_plot", "histogram"])(
  "draws nothing inside out where a %s has little width",
  (kind) => {
    const sizes = [...draw(kind, ["city", "count"], 20).querySelectorAll("rect, circle")].flatMap(
      (mark) => ["width", "height", "rx", "r"].map((name) => Number(mark.getAttribute(name) ?? 0)),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0);
  },
);

it.each([
  ["counts", [3, 1, 2], "3 (50%)"],
  ["hundredths", [34.62, 34.34, 31.04], "34.6%"],
  ["fractions", [0.5, 0.3, 0.2], "50%"],
])("tells %s of a whole once", (_, values, told) => {
  const legend = draw("pie_chart", ["city", "part"], 600, values).querySelectorAll("p.number");
  expect(legend[0]?.textContent).toBe(told);
});
