import { describe, expect, it } from "vitest";
import { csvRows } from "./csv-rows";
import { parseOutcome, parseOutcomes } from "./feedback-csv";

describe("csvRows", () => {
  it.each([
    [
      "a,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "\uFEFFa;b\n1;2,5",
      [
        ["a", "b"],
        ["1", "2,5"],
      ],
    ],
    [
      'a,b\n"x, ""y""\nz",\n\n',
      [
        ["a", "b"],
        ['x, "y"\nz', ""],
      ],
    ],
    ["", []],
  ])("reads %j", (text, rows) => {
    expect(csvRows(text)).toEqual(rows);
  });
});

describe("truthsOf", () => {
  it("finds the two columns among others, and leaves out rows without a truth", () => {
    const text = "when,Actual,request_id\nMonday, yes ,req_1\nTuesday,,req_2\n";
    expect(parseOutcomes(text, "string", "churn")).toEqual([
      { request_id: "req_1", actual: "yes" },
    ]);
  });

  it("takes the target's own column, unless there is one of what turned out", () => {
    const own = "request_id,Churn\nreq_1,yes\n";
    expect(parseOutcomes(own, "string", "churn")).toEqual([{ request_id: "req_1", actual: "yes" }]);
    const both = "request_id,churn,actual\nreq_1,yes,no\n";
    expect(parseOutcomes(both, "string", "churn")).toEqual([{ request_id: "req_1", actual: "no" }]);
  });

  it("says which columns it needs and what there are", () => {
    expect(() => parseOutcomes("id,actual\n1,2", "float", "fare")).toThrow(
      "The file needs the columns request_id and actual or fare; its first line has id, actual.",
    );
    expect(() => parseOutcomes("", "float", "fare")).toThrow("it is empty");
    expect(() => parseOutcomes("request_id,actual\n", "float", "fare")).toThrow("has no row");
  });

  it("names the row whose value is of another type", () => {
    expect(() =>
      parseOutcomes("request_id,actual\nreq_1,2.5\nreq_2,many", "float", "fare"),
    ).toThrow("Row 2: “many” is not a number.");
  });
});

describe("truthOf", () => {
  it.each([
    ["7", "integer", 7],
    ["7", "string", "7"],
    ["yes", "boolean", true],
  ] as const)("reads %j as %s", (text, type, actual) => {
    expect(parseOutcome(" req_1 ", text, type)).toEqual({ request_id: "req_1", actual });
  });

  it("takes no fraction for a whole number", () => {
    expect(() => parseOutcome("req_1", "2.5", "integer")).toThrow("“2.5” is not a whole number.");
  });
});
