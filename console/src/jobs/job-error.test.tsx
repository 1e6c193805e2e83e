import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Job } from "../api/queries";
import { JobError } from "./job-error";

afterEach(cleanup);

const shown = (status: Job["status"], error: string) => {
  render(
    <MantineProvider env="test">
      <JobError job={{ status, error }} />
    </MantineProvider>,
  );
  return screen.getByText(error).getAttribute("style");
};

it("tells a fault in red", () => {
  expect(shown("FAILED", "The target is constant.")).toContain("red");
});

it("tells that someone cancelled it in no colour of a fault", () => {
  expect(shown("CANCELLED", "It was cancelled.")).toContain("dimmed");
});
