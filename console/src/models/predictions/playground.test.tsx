import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Field } from "./playground";

afterEach(cleanup);

it.each([
  ["$", "Fee ($) *"],
  [null, "Fee *"],
])("labels an input with its unit %s", (unit, label) => {
  const domain = { required: true, low: 1, high: 9, values: null, unit };
  render(
    <MantineProvider>
      <Field
        name="Fee"
        type="float"
        domain={domain}
        value="3"
        values={[]}
        fault={undefined}
        warning={undefined}
        onChange={() => {}}
      />
    </MantineProvider>,
  );
  expect(screen.getByLabelText(label)).toBeTruthy();
});
