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
    "Read as: semicolon between cells · CP1252 · 2 lines skipped above the header · decimal comma",
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

it.each([
  ["shop.xlsx", { sheet: "Nope" }, "sheet", "Read as you said: sheet “Nope”"],
  ["t.CSV", { encoding: "utf-16", skip_rows: 1 }, "encoding", /UTF-16 · 1 line skipped/],
  ["t.csv.gz", null, "delimiter", /^$/],
  ["t.json", { encoding: "gbk" }, "encoding", "Read as you said: GBK"],
])("offers what can be said of %s that could not be read", (filename, options, field, told) => {
  const error = { message: "It cannot be read.", line: null, expected: null };
  const broken = { ...FILE, filename, options, error, read_as: null, column_info: null };
  const file = broken as unknown as Schemas["FileDetail"];
  expect(fieldsOf(file)).toContain(field);
  expect(summaryOf(file)).toMatch(told);
  expect(isChanged(file, formOf(file))).toBe(false);
  const form = { ...formOf(file), [field]: "other" };
  expect(optionsOf(file, form)).toEqual({ ...options, [field]: "other" });
});

it("says nothing of the reading of a file that has no choices", () => {
  const error = { message: "It is cut short.", line: null, expected: null };
  const broken = { ...FILE, filename: "t.parquet", error, read_as: null, column_info: null };
  expect(fieldsOf(broken as unknown as Schemas["FileDetail"])).toEqual([]);
});

it("calls encodings as people write them", () => {
  expect(["utf-8", "windows-1252", "gbk"].map(encodingName)).toEqual([
    "UTF-8",
    "Windows-1252",
    "GBK",
  ]);
});
