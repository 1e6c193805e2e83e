import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Notices } from "./notices";

afterEach(cleanup);

const show = (count: number) =>
  render(
    <MantineProvider>
      <Notices notices={Array.from({ length: count }, (_, n) => `Column ${n} is a guess.`)} />
    </MantineProvider>,
  );
const shown = () => screen.queryAllByRole("listitem").length;

it.each([1, 4])("shows all of %i notices", (count) => {
  show(count);
  expect(shown()).toBe(count);
  expect(screen.queryByRole("button")).toBeNull();
});

it("shows the first of many, and all when asked", () => {
  show(10);
  expect(shown()).toBe(3);
  fireEvent.click(screen.getByRole("button", { name: "Show all 10 notices" }));
  expect(shown()).toBe(10);
  fireEvent.click(screen.getByRole("button", { name: "Show fewer" }));
  expect(shown()).toBe(3);
});

it("says them in the terms of the console", () => {
  render(
    <MantineProvider>
      <Notices notices={["Name the type date in types to read it."]} />
    </MantineProvider>,
  );
  screen.getByText("Name the type date under “Read differently” to read it.");
});
