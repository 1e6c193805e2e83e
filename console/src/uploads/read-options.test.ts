import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { encodingName, fieldsOf, formOf, isChanged, optionsOf, summaryOf } from "./read-options";

const FILE = {
  filename: "t.csv",
  options: null,
  read_as: {
    sheet: null,
    delimiter: ";",
    encoding: "cp1252",
    header_rows: 1,
    skip_rows: 2,
    decimal: ",",
    null_values: [],
  },
  column_info: [{ name: "zip", type: "integer", nullable: false, unique: false }],
} as unknown as Schemas["FileDetail"];

it("shows what was guessed", () => {
  expect(summaryOf(FILE)).toBe(
    "Read as: semicolon between cells · CP1252 · 2 skipped above the header · decimal comma",
  );
  expect(formOf(FILE)).toMatchObject({ delimiter: ";", skip_rows: "2", types: { zip: "integer" } });
});

it("sends what was changed, and nothing that was guessed", () => {
  const form = { ...formOf(FILE), skip_rows: "0", null_values: "n/a\n-", delimiter: "tab" };
  expect(optionsOf(FILE, form)).toEqual({
    skip_rows: 0,
    null_values: ["n/a", "-"],
    delimiter: "tab",
  });
});

it("keeps what was said before", () => {
  const again = { ...FILE, options: { encoding: "gbk", types: { city: "string" } } };
  const form = formOf(again as unknown as Schemas["FileDetail"]);
  const typed = { ...form, types: { zip: "string" as const } };
  expect(optionsOf(again as unknown as Schemas["FileDetail"], typed)).toEqual({
    encoding: "gbk",
    types: { city: "string", zip: "string" },
  });
});

it("knows whether anything was changed", () => {
  expect(isChanged(FILE, formOf(FILE))).toBe(false);
  expect(isChanged(FILE, { ...formOf(FILE), decimal: "." })).toBe(true);
});

it("offers what can be said of the kind of file", () => {
  const book = { ...FILE, read_as: { ...FILE.read_as, sheet: "Sales", delimiter: null } };
  expect(fieldsOf(book as unknown as Schemas["FileDetail"])).toContain("sheet");
  expect(fieldsOf(book as unknown as Schemas["FileDetail"])).not.toContain("delimiter");
  expect(fieldsOf({ ...FILE, read_as: null })).toEqual([]);
});

it("calls encodings as people write them", () => {
  expect(["utf-8", "windows-1252", "gbk"].map(encodingName)).toEqual([
    "UTF-8",
    "Windows-1252",
    "GBK",
  ]);
});
