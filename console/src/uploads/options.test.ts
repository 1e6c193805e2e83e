import { expect, it } from "vitest";
import type { Upload } from "../api/queries";
import { uploadOf } from "../test-setup";
import { uploadOptions } from "./options";

const upload = (upload_id: string) => uploadOf(upload_id, "sales");

it("offers the chosen one too, once", () => {
  const values = (found: Upload[], chosen?: Upload) =>
    uploadOptions(found, chosen).map((one) => one.value);
  expect(values([upload("a"), upload("b")], upload("b"))).toEqual(["a", "b"]);
  expect(values([upload("a")], upload("c"))).toEqual(["c", "a"]);
  expect(values([upload("a")])).toEqual(["a"]);
});

it("tells versions of one name apart by when they came", () => {
  const later = { ...upload("b"), created_at: "2026-03-02T12:00:01Z" };
  const [one, other] = uploadOptions([upload("a"), later]);
  expect(one?.label).toMatch(/^sales \(.*2026.*\)$/);
  expect(other?.label).not.toBe(one?.label);
});

it("names the version, as the list of uploads does", () => {
  const [one] = uploadOptions([{ ...upload("a"), dataset_version: "v2.1" }]);
  expect(one?.label).toMatch(/^sales \(v2\.1, .*2026.*\)$/);
});
