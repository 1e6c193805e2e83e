import { describe, expect, it } from "vitest";
import type { Model } from "../api/queries";
import { curlOf, pythonOf } from "./snippets";

const model = { endpoint: "http://localhost:8000/models/m/v1.0/infer" } as Model;

describe("curlOf", () => {
  it("survives quotes in the data", () => {
    expect(curlOf(model, { name: "O'Brien" })).toContain(`'{\n  "name": "O'\\''Brien"\n}'`);
  });
});

describe("pythonOf", () => {
  it("writes Python's own words", () => {
    const text = pythonOf(model, { gap: null, is_new: true, age: 41, city: "Köln" });
    expect(text).toContain('"gap": None,\n    "is_new": True,\n    "age": 41,\n    "city": "Köln"');
  });
});
