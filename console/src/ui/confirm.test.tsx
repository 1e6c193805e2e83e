import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { Confirm } from "./confirm";

afterEach(cleanup);

function List() {
  const [isActive, setActive] = useState(true);
  return (
    <section aria-label="Keys">
      {isActive ? (
        <Confirm
          label="Revoke"
          title="Revoke k?"
          act={async () => undefined}
          onDone={() => setActive(false)}
        >
          It ends.
        </Confirm>
      ) : null}
    </section>
  );
}

it("leaves the focus where the control was that went away", async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <List />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Revoke" }));
  const dialog = await screen.findByRole("dialog", { name: "Revoke k?" });
  const sure = [...dialog.querySelectorAll("button")].find((one) => one.textContent === "Revoke");
  if (sure) fireEvent.click(sure);
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Keys" })),
  );
});

it.each([
  ["Revoke", "Revoke k?", "Revoke k"],
  ["Delete for good", "Delete k for good?", "Delete for good: Delete k for good"],
])("keeps what the control %s shows in its name", (label, title, name) => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Confirm compact label={label} title={title} act={async () => undefined} onDone={vi.fn()}>
          It ends.
        </Confirm>
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(screen.getByRole("button", { name })).toBeTruthy();
});
