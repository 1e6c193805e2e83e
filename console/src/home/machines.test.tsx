import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { setCredentials } from "../session/credentials";
import { renderPage } from "../test-utils";
import { Machines } from "./machines";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

const machine = {
  machine_id: "machine_1",
  name: "left",
  address: "10.0.0.5:8700",
  version: "0.1.0",
  room: 8,
  is_draining: true,
  seen_at: "2026-03-02T12:00:00Z",
  parts: ["api", "worker"],
  silent: ["replicas"],
};

function answering() {
  const asked = vi.fn(async (_request: Request) => {
    const pagination = { total: 1, limit: 20, offset: 0, has_more: false };
    return Response.json({ machines: [machine], pagination });
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

it("tells operators what runs on each machine, what is silent and what is drained", async () => {
  answering();
  setCredentials({ way: "key", key: "mw_1", level: "admin" });
  renderPage(Machines);
  expect((await screen.findByText("left")).closest("tr")?.textContent).toMatch(
    /left.*api, worker.*silent: replicas.*draining.*8.*0\.1\.0/,
  );
});

it("asks nothing for others, who may not know", () => {
  const asked = answering();
  setCredentials({ way: "key", key: "mw_1", level: "read_write" });
  renderPage(Machines);
  expect(asked).not.toHaveBeenCalled();
});
