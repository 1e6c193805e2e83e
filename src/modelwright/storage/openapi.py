"""The part of the OpenAPI document that FastAPI cannot see: signed addresses."""

from modelwright.core.http.openapi import bytes_content, file_responses, path_parameters
from modelwright.core.http.schemas import Json

_BYTES = bytes_content("application/octet-stream")
_SHARED: Json = {
    "tags": ["storage"],
    "description": "The address is one that another answer gave, with its signature.",
    "parameters": path_parameters("key"),
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
            "responses": file_responses("file", _BYTES),
        },
    }
}
"""What the document's `paths` gain."""
