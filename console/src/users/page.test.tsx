import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderPage } from "../test-utils";
import { UsersPage } from "./page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("tells the tier of each account, what it used of its credits, and whether it is shut out", async () => {
  const user = {
    user_id: "user_1",
    email: "operator@localhost",
    tier: "enterprise",
    credits: 1000,
    consumption: 12,
    is_active: true,
    is_operator: true,
    created_at: "2026-03-02T12:00:00Z",
  };
  const other = { ...user, user_id: "user_2", email: "ann@example.org", tier: "basic" };
  const users = [user, { ...other, is_operator: false, is_active: false }];
  const pagination = { total: 2, limit: 20, offset: 0, has_more: false };
  vi.stubGlobal("fetch", async () => Response.json({ users, pagination }));
  renderPage(UsersPage);
  const row = async (email: string) => (await screen.findByText(email)).closest("tr")?.textContent;
  expect(await row("operator@localhost")).toMatch(/operatorenterprise12 of 1,000/);
  expect(await row("ann@example.org")).toMatch(/deactivatedbasic12 of 1,000/);
});
