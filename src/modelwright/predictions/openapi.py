"""The part of the OpenAPI document that FastAPI cannot see: the plain prediction routes.

Predictions pass FastAPI by, for speed; clients are generated from the document all the same.
"""

from modelwright.core.http.openapi import json_content, path_parameters, reference
from modelwright.core.http.schemas import Json
from modelwright.core.limits.contract import LIMITS, MB
from modelwright.deployments.domain import ENVIRONMENTS

_ROW: Json = {
    "type": "object",
    "description": "Field names and values, as the version's `input_schema` says.",
    "additionalProperties": True,
    "examples": [{"plan": "pro", "age": 41}],
}
_RESULT: Json = {
    "type": "object",
    "description": "Matches the version's `output_schema` exactly.",
    "additionalProperties": True,
    "examples": [{"churn": "yes"}],
}


_EXTRAS: Json = {
    "probabilities": {
        "type": ["object", "null"],
        "description": "The probability of each class; null for a regression.",
        "additionalProperties": {"type": "number"},
    },
    "interval": reference("PredictionInterval"),
    "warnings": {
        "type": "array",
        "description": "Values that training never saw, or had in another range.",
        "items": reference("FieldMessage"),
    },
    "explanation": reference("Explanation"),
}
COMPONENTS: Json = {
    "PredictionInterval": {
        "type": ["object", "null"],
        "description": "Holds the actual value in `level` of all cases; null for a class.",
        "required": ["low", "high", "level"],
        "properties": {name: {"type": "number"} for name in ("low", "high", "level")},
    },
    "FieldMessage": {
        "type": "object",
        "description": "A message about one field of a row.",
        "required": ["field", "message"],
        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
    },
    "Explanation": {
        "type": "object",
        "description": "What each field adds to `base`, on the scale that `link` names.",
        "required": ["link", "of", "base", "contributions", "sum"],
        "properties": {
            "link": {"type": "string"},
            "of": {"description": "The class that is explained; null for a regression."},
            "base": {"type": "number"},
            "contributions": {"type": "object", "additionalProperties": {"type": "number"}},
            "sum": {"type": "number"},
        },
    },
    "RowRefusal": {
        "type": "object",
        "description": "With `errors=rows`: why this row has no prediction.",
        "required": ["code", "message", "details"],
        "properties": {
            "code": {"type": "string"},
            "message": {"type": "string"},
            "details": {"type": "array", "items": reference("FieldMessage")},
        },
    },
    "Prediction": {
        "type": "object",
        "description": "The answer for one row.",
        "required": ["request_id", "result", "model_name", "model_version", "created_at"],
        "properties": {
            "request_id": {"type": "string"},
            "result": _RESULT,
            "model_name": {"type": "string"},
            "model_version": {"type": "string"},
            "created_at": {"type": "string", "format": "date-time"},
            **_EXTRAS,
        },
    },
    "BatchItem": {
        "type": "object",
        "description": "The answer for one row of a batch; answers stand in the rows' order.",
        "required": ["prediction"],
        "properties": {
            "prediction": {**_RESULT, "type": ["object", "null"]},
            "request_id": {"type": "string"},
            "error": reference("RowRefusal"),
            **_EXTRAS,
        },
    },
}
"""What the document's `components` gain."""
_BATCH_ITEM: Json = COMPONENTS["BatchItem"]
COMPONENTS["EndpointBatchItem"] = {
    **_BATCH_ITEM,
    "description": "The answer for one row of a batch, and the version that gave it.",
    "required": ["prediction", "model_version"],
    "properties": {**_BATCH_ITEM["properties"], "model_version": {"type": "string"}},
}
_ANSWER = reference("Prediction")
_ERRORS: Json = {
    "name": "errors",
    "in": "query",
    "description": "`rows` answers a row that does not fit by its error; else all are refused.",
    "schema": {"type": "string", "enum": ["request", "rows"], "default": "request"},
}
_ENVIRONMENT: Json = {
    "name": "environment",
    "in": "query",
    "description": "Where the version is in service that is to answer.",
    "schema": {"type": "string", "enum": [*ENVIRONMENTS], "default": "production"},
}
_ROWS: Json = {"type": "array", "maxItems": LIMITS.batch_rows, "items": _ROW}
_ITEMS: Json = {"type": "array", "items": reference("BatchItem")}


def _operation(
    operation: str,
    summary: str,
    description: str,
    body: Json,
    answer: Json,
    path: tuple[str, ...] = ("model_name", "model_version"),
    more: tuple[Json, ...] = (),
) -> Json:
    """Describes an operation that answers rows."""
    include = {
        "name": "include",
        "in": "query",
        "description": "Members to add: `probabilities`, `explanation`, `interval`,"
        " `warnings`; with commas.",
        "schema": {"type": "string"},
        "example": "probabilities,explanation",
    }
    return {
        "tags": ["predictions"],
        "operationId": operation,
        "summary": summary,
        "description": description,
        "parameters": [*path_parameters(*path), include, *more],
        "requestBody": {"required": True, "content": json_content(body)},
        "responses": {"200": {"description": "The answer.", "content": json_content(answer)}},
    }


PATHS: dict[str, Json] = {
    "/models/{model_name}/{model_version}/infer": {
        "post": _operation(
            "predictions.infer",
            "Answers one row.",
            "A field that training always had must be there; unknown fields are ignored.",
            _ROW,
            _ANSWER,
        )
    },
    "/models/{model_name}/{model_version}/predictions": {
        "post": _operation(
            "predictions.many",
            "Answers many rows in their order.",
            f"Up to {LIMITS.batch_rows} rows and {LIMITS.predictions_body_bytes // MB} MB.",
            _ROWS,
            _ITEMS,
            more=(_ERRORS,),
        )
    },
    "/models/{model_name}/infer": {
        "post": _operation(
            "endpoints.infer",
            "Answers one row with the version in service.",
            "As `infer` of a version; the address stays when another version is promoted.",
            _ROW,
            _ANSWER,
            ("model_name",),
            more=(_ENVIRONMENT,),
        )
    },
    "/models/{model_name}/predictions": {
        "post": _operation(
            "endpoints.many",
            "Answers many rows in their order with the version in service.",
            "As `predictions` of a version; each answer also tells which version gave it.",
            _ROWS,
            {"type": "array", "items": reference("EndpointBatchItem")},
            ("model_name",),
            more=(_ERRORS, _ENVIRONMENT),
        )
    },
    "/predict/{deployment_id}": {
        "post": _operation(
            "deployments.infer",
            "Answers one row or many with a deployment's replicas.",
            "An object is answered as `infer` answers it, an array as `predictions` does.",
            {"anyOf": [_ROW, _ROWS]},
            {"anyOf": [_ANSWER, _ITEMS]},
            ("deployment_id",),
            more=(_ERRORS,),
        )
    },
}
"""What `app` adds to the document's `paths`."""
