import { afterEach, expect, it, vi } from "vitest";
import { idsOf, searchOf } from "./dataset-pickers";
import { openSession } from "./open-session";

afterEach(() => vi.unstubAllGlobals());

const over = (session_id: string, status: string, ...uploads: string[]) => ({
  session_id,
  status,
  upload_id: uploads[0],
  tables: uploads.map((upload_id) => ({ table: upload_id, upload_id })),
});

async function asked(sessions: object[], uploadIds: string[]) {
  const requests: { path: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (request.method === "GET") return Response.json({ sessions, pagination: {} });
    requests.push({ path, body: await request.json() });
    return Response.json(over("new", "ready", ...uploadIds));
  });
  return { session: await openSession(uploadIds), requests };
}

it("opens one upload as the one in use", async () => {
  const { requests } = await asked([], ["a"]);
  expect(requests).toEqual([{ path: "/data/use-upload", body: { upload_id: "a" } }]);
});

it("opens several uploads together", async () => {
  const { requests } = await asked(
    [over("old", "ended", "a", "b"), over("one", "ready", "a")],
    ["a", "b"],
  );
  const body = { upload_id: "a", dataset_ids: ["b"], expiration_hours: null };
  expect(requests).toEqual([{ path: "/data/sessions", body }]);
});

it("goes on in the session that holds them", async () => {
  const { session, requests } = await asked([over("both", "ready", "a", "b")], ["a", "b"]);
  expect([session.session_id, requests]).toEqual(["both", []]);
});

it("keeps the uploads in the address", () => {
  expect(searchOf(["a"])).toEqual({ upload: "a" });
  expect(searchOf(["a", "b", "c"])).toEqual({ upload: "a", with: "b,c" });
  expect(idsOf("b,c")).toEqual(["b", "c"]);
  expect(idsOf(undefined)).toEqual([]);
});
