"""The part of the OpenAPI document that FastAPI cannot see: the plain route of files."""

from typing import Any

Json = dict[str, Any]

_BYTES: Json = {"*/*": {"schema": {"type": "string", "format": "binary"}}}
PATHS: dict[str, Json] = {
    "/data/export/{export_id}/{filename}": {
        "get": {
            "tags": ["exports"],
            "operationId": "exports.download",
            "summary": "Gives one file of an export, or one range of its bytes.",
            "description": "Always an attachment; `Range` asks for a part.",
            "parameters": [
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in ("export_id", "filename")
            ],
            "responses": {
                "200": {"description": "The whole file.", "content": _BYTES},
                "206": {"description": "The range that was asked for.", "content": _BYTES},
                "416": {"description": "The file has no such bytes."},
            },
        }
    }
}
"""What the document's `paths` gain."""
