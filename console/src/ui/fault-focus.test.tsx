import { MantineProvider, TextInput } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { fieldError, Problem } from "../api/problem";
import { useFaultFocus } from "./fault-focus";

afterEach(cleanup);

function Form({ error }: { error: Error | null }) {
  return (
    <form ref={useFaultFocus(error)}>
      <TextInput label="Host" error={fieldError(error, "host")} />
      <TextInput label="Database" error={fieldError(error, "database")} />
    </form>
  );
}

it("leads to the first field at fault, and nowhere while there is none", () => {
  const { rerender } = render(<Form error={null} />, { wrapper: MantineProvider });
  rerender(<Form error={new Problem("busy", 503, "code")} />);
  expect(document.activeElement).toBe(document.body);
  const details = [{ field: "database", message: "there is none" }];
  rerender(<Form error={new Problem("no", 422, "code", details)} />);
  expect(document.activeElement).toBe(screen.getByLabelText("Database"));
  expect(screen.getByLabelText("Database").getAttribute("aria-describedby")).toMatch(/error/);
});
