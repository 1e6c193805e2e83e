import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ColumnDrift } from "./column-drift";

afterEach(cleanup);

const column = (name: string, status: string) => ({
  name,
  kind: "category",
  status,
  psi: 0.4,
  noise: 0.02,
  bins: ["basic", "pro"],
  training: [0.67, 0.33],
  lately: [0.4, 0.6],
});

it("opens the column that moved most, and reads as a list", () => {
  render(
    <MantineProvider>
      <ColumnDrift columns={[column("age", "stable"), column("plan", "moved")]} />
    </MantineProvider>,
  );
  const [first, second] = screen.getAllByRole("button");
  expect(first?.textContent).toBe("plandrifted");
  expect(first?.getAttribute("aria-expanded")).toBe("true");
  expect(second?.textContent).toBe("agestable");
  const opened = screen.getByRole("region", { name: /plan/ });
  const bins = within(opened).getAllByRole("listitem");
  expect(bins.map(({ textContent }) => textContent)).toEqual(["basic67% → 40%", "pro33% → 60%"]);
});
