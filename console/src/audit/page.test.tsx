import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderPage } from "../test-utils";
import { AuditPage } from "./page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const entry = {
  entry_id: "aud_1",
  at: "2026-03-02T12:00:00Z",
  account_id: "user_1",
  actor: "ann@example.org",
  key_id: null,
  operation: "models.delete",
  resource: "churn",
  path: "/models/churn",
  address: "127.0.0.1",
  request_id: "req_1",
};

it("lists what was done, and only what was done to the thing that is named", async () => {
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const about = new URL(url).searchParams.get("resource");
    const entries = about === null || about === "churn" ? [entry] : [];
    const pagination = { total: entries.length, limit: 20, offset: 0, has_more: false };
    return Response.json({ entries, pagination });
  });
  const router = renderPage(AuditPage, "/?from=20");
  expect((await screen.findByText("ann@example.org")).closest("tr")?.textContent).toMatch(
    /Deleted a model.*churn.*127\.0\.0\.1/,
  );
  fireEvent.change(screen.getByLabelText("About"), { target: { value: " fare " } });
  await screen.findByText("No entry is about exactly “fare”.");
  expect(router.state.location.search).toEqual({ find: "fare" });
  fireEvent.change(screen.getByLabelText("About"), { target: { value: "churn" } });
  await screen.findByText("ann@example.org");
});

it("begins with what stands in the address", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    asked.push(new URL(url).search);
    const pagination = { total: 41, limit: 20, offset: 40, has_more: false };
    return Response.json({ entries: [entry], pagination });
  });
  renderPage(AuditPage, "/?find=churn&from=40");
  await screen.findByText("41–41 of 41");
  expect(asked).toEqual(["?offset=40&limit=20&resource=churn"]);
  expect(screen.getByLabelText("About")).toHaveProperty("value", "churn");
});
