import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Grid } from "./grid";

afterEach(cleanup);

const COUNT = 120;
const columns = Array.from({ length: COUNT }, (_, index) => `c${index}`);
const row = columns.map((_, index) => index);
const heads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);

it("shows many columns in parts, each over its own values", () => {
  render(
    <MantineProvider>
      <Grid columns={columns} rows={[row]} isNumber={(_, index) => index === 50} />
    </MantineProvider>,
  );
  expect(heads()).toHaveLength(50);
  screen.getByText("1–50 of 120 columns");
  fireEvent.click(screen.getByRole("button", { name: "Next" }));
  expect(heads()[0]).toBe("c50");
  expect(heads()).toHaveLength(50);
  const [cell] = screen.getAllByRole("cell");
  expect(cell?.textContent).toBe("50");
  expect(cell?.style.textAlign).toBe("right");
});

it("groups the digits of amounts, and leaves years as they are", () => {
  const rows = [
    [2024, 1250],
    [2025, 259_212.31],
  ];
  render(
    <MantineProvider>
      <Grid columns={["year", "average"]} rows={rows} />
    </MantineProvider>,
  );
  const cells = screen.getAllByRole("cell").map(({ textContent }) => textContent);
  expect(cells).toEqual(["2024", "1,250.00", "2025", "259,212.31"]);
});

it("says that there are no rows", () => {
  render(
    <MantineProvider>
      <Grid columns={["a"]} rows={[]} />
    </MantineProvider>,
  );
  screen.getByText("There are no rows.");
});

it("cuts a name that would push the others out of sight, and tells it on hover", () => {
  const name = "Which of these do you use most, please choose exactly one";
  render(
    <MantineProvider>
      <Grid columns={[name]} rows={[["a"]]} />
    </MantineProvider>,
  );
  screen.getByTitle(name);
});

it("tells midnight as the day, but with its hour among other hours", () => {
  const midnight = "2023-01-01T00:00:00";
  render(
    <MantineProvider>
      <Grid
        columns={["day", "at"]}
        rows={[
          [midnight, midnight],
          ["2023-01-02T00:00:00", "2023-01-01T13:00:00"],
        ]}
      />
    </MantineProvider>,
  );
  expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
    "2023-01-01",
    "2023-01-01 00:00:00",
    "2023-01-02",
    "2023-01-01 13:00:00",
  ]);
});

it("writes the numbers of a column with as many digits behind the point", () => {
  render(
    <MantineProvider>
      <Grid columns={["percent"]} rows={[[54.60526315789474], [19.295], [7]]} />
    </MantineProvider>,
  );
  expect(screen.getAllByRole("cell").map(({ textContent }) => textContent)).toEqual([
    "54.6053",
    "19.2950",
    "7.0000",
  ]);
});
