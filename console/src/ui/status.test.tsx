import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { theme } from "../theme";
import { Status } from "./status";

afterEach(cleanup);

it("wraps its word where it is narrow, and never cuts it", () => {
  render(
    <MantineProvider theme={theme}>
      <Status value="PROCESSING" />
    </MantineProvider>,
  );
  const word = screen.getByText("processing");
  expect(word.style.whiteSpace).toBe("normal");
  expect(word.parentElement?.style.flexShrink).toBe("0");
});
