import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { FeatureList, type FeatureSelection } from "./feature-list";

afterEach(cleanup);

const shown = (features: string[], choosing?: FeatureSelection) =>
  render(
    <MantineProvider>
      <FeatureList features={features} choosing={choosing} />
    </MantineProvider>,
  );

const choosing = (leftOut: string[]) => ({ leftOut, onLeaveOut: vi.fn(), onUseAgain: vi.fn() });

it("leaves a column out, and uses one again", () => {
  const both = choosing(["grade"]);
  shown(["age", "sex"], both);
  fireEvent.click(screen.getByRole("button", { name: "Leave out age" }));
  expect(both.onLeaveOut).toHaveBeenCalledExactlyOnceWith("age");
  const leftOut = within(screen.getByRole("region", { name: "Left out by you" }));
  fireEvent.click(leftOut.getByRole("button", { name: "Use again grade" }));
  expect(both.onUseAgain).toHaveBeenCalledExactlyOnceWith("grade");
});

it("keeps the last column", () => {
  shown(["age"], choosing([]));
  screen.getByText("age");
  expect(screen.queryByRole("button")).toBeNull();
});

it("only tells what a model that is made learnt from", () => {
  shown(["age", "sex"]);
  expect(screen.queryByRole("button")).toBeNull();
});
