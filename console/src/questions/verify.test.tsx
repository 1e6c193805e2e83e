import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Answer } from "./types";
import { Verify } from "./verify";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("keeps an answer as right, and takes that back", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async ({ method, url }: Request) => {
    asked.push(`${method} ${new URL(url).pathname}`);
    return Response.json({});
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <Verify answer={{ query_id: "query_1" } as Answer} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Verify" }));
  await screen.findByText("verified");
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByRole("button", { name: "Verify" });
  expect(screen.queryByText("verified")).toBeNull();
  expect(asked).toEqual(["POST", "DELETE"].map((way) => `${way} /data/queries/query_1/verify`));
});
