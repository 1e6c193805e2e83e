import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import type { Model } from "../api/queries";
import { versionOf } from "./version-of";

it("tells of a version what its card tells, and where it is asked", () => {
  const model = {
    model_name: "v1.1",
    model_version: "v1.1",
    endpoint: "http://host/models/v1.1/v1.1/infer",
    dataset_id: "upload_new",
    metrics: { accuracy: 0.9 },
  } as unknown as Model;
  const card = {
    model_version: "v1.0",
    metrics: { accuracy: 0.8 },
    data: { dataset_id: "upload_old" },
  } as unknown as Schemas["ModelCard"];
  expect(versionOf(model, card)).toMatchObject({
    model_name: "v1.1",
    model_version: "v1.0",
    endpoint: "http://host/models/v1.1/v1.0/infer",
    dataset_id: "upload_old",
    metrics: { accuracy: 0.8 },
  });
});
