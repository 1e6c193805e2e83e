import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { userQuery } from "../api/queries";
import { OfflineBanner } from "./offline-banner";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Page() {
  return <>{useQuery(userQuery).data?.email}</>;
}

const gone = async () => {
  throw new TypeError("Failed to fetch");
};
const proxied = async () => new Response("<html>", { status: 502 });
const later = () => act(() => vi.advanceTimersByTimeAsync(3_000));

it.each([gone, proxied])(
  "says that the server is away, and asks anew once it is back",
  async (away) => {
    vi.stubGlobal("fetch", away);
    render(
      <MantineProvider>
        <QueryClientProvider
          client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
        >
          <Page />
          <OfflineBanner />
        </QueryClientProvider>
      </MantineProvider>,
    );
    await later();
    expect(screen.getByRole("status").textContent).toMatch(/can’t be reached/);
    vi.stubGlobal("fetch", async () => Response.json({ email: "ann@example.org" }));
    await later();
    screen.getByText("ann@example.org");
    expect(screen.queryByRole("status")).toBeNull();
  },
);
