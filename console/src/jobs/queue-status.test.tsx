import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { QueueStatus } from "./queue-status";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const shown = async (status: string) => {
  const job = { job_id: "job_1", upload_id: "upload_1", status, stage: "waiting its turn" };
  const fetched = vi.fn(async () => Response.json({ jobs: [job] }));
  vi.stubGlobal("fetch", fetched);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <QueueStatus kind="processing" of="upload_1" />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
};

it("says what work that has not begun waits for", async () => {
  await shown("PENDING");
  await screen.findByText("It is waiting its turn.");
});

it("says nothing of work that has begun", async () => {
  await shown("RUNNING");
  expect(screen.queryByText(/waiting/)).toBeNull();
});
