import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Page } from "./page";

afterEach(cleanup);

const SOURCES = import.meta.glob<string>("../**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

it("puts what takes something away behind all other actions", () => {
  render(
    <MantineProvider>
      <Page
        title="churn"
        destructive={<button type="button">Delete</button>}
        actions={<button type="button">Retrain</button>}
      >
        {null}
      </Page>
    </MantineProvider>,
  );
  const names = screen.getAllByRole("button").map(({ textContent }) => textContent);
  expect(names).toEqual(["Retrain", "Delete"]);
});

it.each([
  ["sales.csv", "320px"],
  ["sales_of_all_regions_2024_01_01_to_2024_12_31.csv", "100%"],
])("gives the title %s a width of %s beside its actions", (title, width) => {
  render(
    <MantineProvider>
      <Page title={title} actions={<button type="button">Download</button>}>
        {null}
      </Page>
    </MantineProvider>,
  );
  const beside = screen.getByRole("heading", { level: 1 }).parentElement?.parentElement;
  expect(beside?.style.flex).toBe(`1 1 ${width}`);
});

it("has nothing that deletes among the actions of a page", () => {
  const actions = Object.entries(SOURCES).flatMap(([name, text]) =>
    [...text.matchAll(/ actions=\{(?:\n[\s\S]*?\n {6}\}|.*\})/g)].map(([one]) => [name, one]),
  );
  expect(actions.length).toBeGreaterThan(5);
  expect(actions.filter(([, one]) => /<(?:Delete|Remove|Confirm)/.test(one ?? ""))).toEqual([]);
});
