"""The part of the OpenAPI document that FastAPI cannot see: the plain route of artifacts."""

from typing import Any

Json = dict[str, Any]

_BYTES: Json = {"application/zip": {"schema": {"type": "string", "format": "binary"}}}
PATHS: dict[str, Json] = {
    "/models/{model_name}/{model_version}/artifact": {
        "get": {
            "tags": ["builds"],
            "operationId": "builds.artifact",
            "summary": "Gives a READY version as a zip that predicts without the server.",
            "description": "For `modelwright_client.load`; `Range` asks for a part, `ETag` stays.",
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("model_name", "model_version")
            ],
            "responses": {
                "200": {"description": "The whole artifact.", "content": _BYTES},
                "206": {"description": "The range that was asked for.", "content": _BYTES},
                "304": {"description": "It is the one whose `ETag` was sent."},
                "416": {"description": "The artifact has no such bytes."},
            },
        }
    }
}
"""What the document's `paths` gain."""
