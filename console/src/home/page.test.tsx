import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderPage } from "../test-utils";
import { HomePage } from "./page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const pagination = { total: 1, limit: 5, offset: 0, has_more: false };
const model = {
  model_name: "churn-of-customers",
  name: "Churn of customers",
  status: "READY",
  deployment_status: "DEPLOYED",
  deployed_versions: ["v1.0", "v2.0"],
  created_at: "2026-03-02T12:00:00Z",
};
const upload = {
  upload_id: "upload_1",
  name: "sales_of_all_regions.csv",
  status: "complete",
  created_at: "2026-03-02T12:00:00Z",
};
const ANSWERS: Record<string, object> = {
  "/models": { models: [model], pagination },
  "/uploads": { uploads: [upload], pagination },
  "/data/health": { status: "ok", version: "1.0.0", checks: {} },
  "/machines": { machines: [], pagination },
};

it("keeps the names of what is newest beside their states", async () => {
  vi.stubGlobal("fetch", async (asked: Request | string) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : asked, location.origin);
    return Response.json(ANSWERS[pathname] ?? {});
  });
  renderPage(HomePage);
  for (const name of [model.name, upload.name]) {
    const link = await screen.findByRole("link", { name });
    expect(link.style.flex).toBe("1 1 170px");
    expect(link.parentElement?.style.getPropertyValue("--group-wrap")).toBe("wrap");
  }
  screen.getByText("v1.0, v2.0 deployed");
});
