import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Export } from "./export-form";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const file = {
  filename: "sales.json",
  size_bytes: 2048,
  download_url: "http://localhost:8000/storage/x",
  download_url_expires_at: "2026-03-02T12:15:00Z",
  expires_at: "2026-03-09T12:00:00Z",
};

it("makes a file of the chosen format, and says where it is and for how long", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") {
      return Response.json({ export_id: "exp_1", status: "completed", files: [file], error: null });
    }
    sent.push(await request.json());
    return Response.json({ export_id: "exp_1", status: "processing" });
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Export uploadId="upload_1" name="sales" />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByText("Download"));
  fireEvent.click(await screen.findByText("JSON"));
  fireEvent.click(screen.getByText("Create file"));
  await screen.findByText("sales.json");
  screen.getByText(/2 KB, here until 3\/9\/2026/);
  expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toBe(
    file.download_url,
  );
  expect(sent).toMatchObject([{ upload_id: "upload_1", format: "json" }]);
});
