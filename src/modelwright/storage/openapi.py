"""The part of the OpenAPI document that FastAPI cannot see: signed addresses."""

from typing import Any

Json = dict[str, Any]

_BYTES: Json = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_KEY: Json = {"name": "key", "in": "path", "required": True, "schema": {"type": "string"}}
_SHARED: Json = {
    "tags": ["storage"],
    "description": "The address is one that another answer gave, with its signature.",
    "parameters": [_KEY],
}
PATHS: dict[str, Json] = {
    "/storage/{key}": {
        "put": {
            **_SHARED,
            "operationId": "storage.put",
            "summary": "Takes the bytes of one file.",
            "requestBody": {"required": True, "content": _BYTES},
            "responses": {"200": {"description": "The bytes are kept."}},
        },
        "get": {
            **_SHARED,
            "operationId": "storage.get",
            "summary": "Gives the bytes of one file, or one range of them.",
            "responses": {
                "200": {"description": "The whole file.", "content": _BYTES},
                "206": {"description": "The range that was asked for.", "content": _BYTES},
                "416": {"description": "The file has no such bytes."},
            },
        },
    }
}
"""What the document's `paths` gain."""
