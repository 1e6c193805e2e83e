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

it("shows names in the place of ids, where they are known", async () => {
  const pagination = { total: 2, limit: 20, offset: 0, has_more: false };
  const about = { ...entry, key_id: "key_1", operation: "uploads.create", path: "/data/upload" };
  const answers: Record<string, object> = {
    "/audit": {
      entries: [
        { ...about, resource: "upload_1" },
        { ...entry, entry_id: "aud_2", operation: "users.amend", resource: "user_2" },
        { ...about, entry_id: "aud_3", key_id: null, resource: "upload_gone" },
        {
          ...entry,
          entry_id: "aud_4",
          operation: "deployments.deploy",
          resource: "dep_1",
          path: "/models/churn%20of%20may/deploy",
        },
      ],
      pagination,
    },
    "/users": { users: [{ user_id: "user_2", email: "bob@example.org" }], pagination },
    "/auth/api-keys": { keys: [{ key_id: "key_1", name: "nightly" }], pagination },
    "/uploads/upload_1": { upload_id: "upload_1", name: "orders 2026", status: "complete" },
    "/trash": { items: [], pagination },
  };
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const found = answers[new URL(url).pathname];
    const body = found ?? { error: { code: "UPLOAD_404", message: "None.", details: [] } };
    return Response.json(body, { status: found ? 200 : 404 });
  });
  renderPage(AuditPage, "/");
  const upload = await screen.findByText("orders 2026");
  expect(upload.getAttribute("title")).toBe("upload_1");
  expect(upload.getAttribute("href")).toContain("upload_1");
  expect((await screen.findByText("bob@example.org")).getAttribute("title")).toBe("user_2");
  expect((await screen.findByText("by key “nightly”")).getAttribute("title")).toBe("key_1");
  expect((await screen.findByText("churn of may")).getAttribute("title")).toBe("dep_1");
  expect(await screen.findByText("upload_gone")).toBeDefined();
});
