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
