import { afterEach, expect, it, vi } from "vitest";
import { lazyImport } from "./lazy";

const missing = new TypeError("Failed to fetch dynamically imported module");
const page = lazyImport(() => Promise.reject(missing));
const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);

afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
});

it("begins anew where another console was built since the page came", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: "ok" }));
  vi.stubGlobal("performance", { now: () => 60_000 });
  void page();
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it("fails where the page has just come", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: "ok" }));
  vi.stubGlobal("performance", { now: () => 500 });
  await expect(page()).rejects.toBe(missing);
  expect(reload).not.toHaveBeenCalled();
});

it("tells that the server is away", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("performance", { now: () => 60_000 });
  await expect(page()).rejects.toThrow(/can't be reached/);
  expect(reload).not.toHaveBeenCalled();
});
