/** A model as one of its versions: what is told of it, and where that version is asked. */
import type { Schemas } from "../api/client";
import type { Model } from "../api/queries";

export function versionOf(model: Model, card: Schemas["ModelCard"]): Model {
  const { model_version, intent, metrics, data, input_schema, output_schema } = card;
  return {
    ...model,
    model_version,
    intent,
    metrics,
    input_schema,
    output_schema,
    dataset_id: data.dataset_id,
    endpoint: model.endpoint.replace(`/${model.model_version}/infer`, `/${model_version}/infer`),
  };
}
