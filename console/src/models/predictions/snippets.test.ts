import { describe, expect, it } from "vitest";
import type { Model } from "../../api/queries";
import { curlOf, inServiceOf, pythonOf } from "./snippets";

const endpoint = "http://localhost:8000/models/m/v1.0/infer";
const model = { endpoint, metrics: { accuracy: 0.8 } } as unknown as Model;

describe("curlOf", () => {
  it("survives quotes in the data", () => {
    expect(curlOf(model, { name: "O'Brien" })).toContain(`'{\n  "name": "O'\\''Brien"\n}'`);
  });

  it("asks how sure an answer is, and how far off a number may be", () => {
    expect(curlOf(model, {})).toContain("?include=probabilities'");
    const ofNumbers = { endpoint, metrics: { rmse: 2.5 } } as unknown as Model;
    expect(curlOf(ofNumbers, {})).toContain("?include=interval'");
  });
});

describe("pythonOf", () => {
  it("writes Python's own words", () => {
    const text = pythonOf(model, { gap: null, is_new: true, age: 41, city: "Köln" });
    expect(text).toContain('"gap": None,\n    "is_new": True,\n    "age": 41,\n    "city": "Köln"');
  });
});

describe("inServiceOf", () => {
  it("asks the address without the version", () => {
    const told = { ...model, model_version: "v1.0" };
    expect(curlOf(inServiceOf(told), {})).toContain("'http://localhost:8000/models/m/infer?");
  });
});
