import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Upload } from "../api/queries";
import { uploadOf } from "../test-setup";
import { UploadPicker } from "./picker";

const SALES = uploadOf("a", "sales");
let arrive: (upload: Upload) => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(SALES.created_at) });
  const arrival = new Promise<Upload>((resolve) => {
    arrive = resolve;
  });
  const none = { uploads: [], pagination: { total: 0, limit: 50, offset: 0 } };
  vi.stubGlobal("fetch", async ({ url }: Request) =>
    Response.json(url.includes("?") ? none : await arrival),
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const shown = (onClear?: () => void) => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider>
        <UploadPicker
          label="Data"
          value="a"
          onChange={() => {}}
          {...(onClear ? { onClear } : {})}
        />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return screen.getByRole<HTMLInputElement>("combobox", { name: "Data" });
};

it("keeps what was typed as time goes on", async () => {
  const field = shown();
  arrive(SALES);
  await vi.waitFor(() => expect(field.value).toMatch(/^sales/));
  field.focus();
  vi.setSystemTime(Date.now() + 90_000);
  fireEvent.change(field, { target: { value: "or" } });
  expect(await screen.findByText("No table of this name")).toBeDefined();
  expect(field.value).toBe("or");
});

it("takes no typing before it knows what is chosen", async () => {
  const field = shown();
  expect(field.readOnly).toBe(true);
  arrive(SALES);
  await vi.waitFor(() => expect(field.value).toMatch(/^sales/));
  expect(field.readOnly).toBe(false);
});

it("lets go of what is chosen only where that means something", async () => {
  const clear = () => document.querySelector(".mantine-InputClearButton-root");
  shown();
  arrive(SALES);
  await screen.findByDisplayValue(/^sales/);
  expect(clear()).toBeNull();
  cleanup();
  const onClear = vi.fn();
  shown(onClear);
  await vi.waitFor(() => expect(clear()).not.toBeNull());
  fireEvent.click(clear() as Element);
  expect(onClear).toHaveBeenCalledOnce();
});
