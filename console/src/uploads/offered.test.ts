import { expect, it } from "vitest";
import type { Upload } from "../api/queries";
import { offered } from "./offered";

const upload = (upload_id: string): Upload => ({
  upload_id,
  name: "sales",
  description: "",
  status: "complete",
  created_at: new Date().toISOString(),
  created_by: "user_1",
  completed_at: null,
  expires_at: "2026-03-03T12:00:00Z",
  error: null,
  files: [],
});

it("offers the chosen one too, once", () => {
  const values = (found: Upload[], chosen?: Upload) =>
    offered(found, chosen).map((one) => one.value);
  expect(values([upload("a"), upload("b")], upload("b"))).toEqual(["a", "b"]);
  expect(values([upload("a")], upload("c"))).toEqual(["c", "a"]);
  expect(values([upload("a")])).toEqual(["a"]);
});

it("tells versions of one name apart by their age", () => {
  expect(offered([upload("a")])[0]?.label).toBe("sales (just now)");
});
