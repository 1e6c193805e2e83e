import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { uploadOf } from "../test-setup";
import { renderPage } from "../test-utils";
import { Versions } from "./versions";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const among = (count: number) => {
  const versions = Array.from({ length: count }, (_, place) => ({
    version: `v1.${count - 1 - place}`,
    upload_id: `upload_${count - 1 - place}`,
    created_at: "2026-03-02T12:00:00Z",
  }));
  vi.stubGlobal("fetch", async () => Response.json({ versions, pagination: { total: count } }));
};

it("names the newest others, and counts the rest", async () => {
  among(9);
  renderPage(() => <Versions upload={uploadOf("upload_7", "sales")} />);
  const told = await screen.findByRole("region", { name: "Versions" });
  expect(told.textContent).toMatch(/^This is v1\.7 of the dataset/);
  const links = [...told.querySelectorAll("a")].map((link) => link.textContent);
  expect(links).toEqual(["v1.8", "v1.6", "v1.5", "v1.4", "v1.3"]);
  expect(told.textContent).toMatch(/and 3 more$/);
});

it("tells of a single other", async () => {
  among(2);
  renderPage(() => <Versions upload={uploadOf("upload_1", "sales")} />);
  const told = await screen.findByRole("region", { name: "Versions" });
  expect(told.textContent).toMatch(/^This is v1\.1 of the dataset; there is also\s*v1\.0/);
});
