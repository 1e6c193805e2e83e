import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Name } from "./name";

afterEach(cleanup);

function partsOf(name: string) {
  const { container } = render(<Name>{name}</Name>);
  expect(container.textContent).toBe(name);
  return container.innerHTML.split("<wbr>");
}

it.each([
  ["total_sulfur_dioxide", ["total_", "sulfur_", "dioxide"]],
  ["PaperlessBilling", ["Paperless", "Billing"]],
  ["ada@example.org", ["ada", "@example.", "org"]],
  ["Tage nach Übergabe", ["Tage nach Übergabe"]],
  ["x_12.500", ["x_12.500"]],
])("breaks %s between its words alone", (name, parts) => {
  expect(partsOf(name)).toEqual(parts);
});
