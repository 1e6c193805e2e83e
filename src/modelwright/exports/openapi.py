"""The part of the OpenAPI document that FastAPI cannot see: the plain route of files."""

from modelwright.core.http.openapi import bytes_content, file_responses, path_parameters
from modelwright.core.http.schemas import Json

PATHS: dict[str, Json] = {
    "/data/export/{export_id}/{filename}": {
        "get": {
            "tags": ["exports"],
            "operationId": "exports.download",
            "summary": "Gives one file of an export, or one range of its bytes.",
            "description": "Always an attachment; `Range` asks for a part.",
            "parameters": path_parameters("export_id", "filename"),
            "responses": file_responses("file", bytes_content("*/*")),
        }
    }
}
"""What the document's `paths` gain."""
