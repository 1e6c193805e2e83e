"""The part of the OpenAPI document that FastAPI cannot see: the plain route of artifacts."""

from modelwright.core.http.openapi import bytes_content, file_responses, path_parameters
from modelwright.core.http.schemas import Json

PATHS: dict[str, Json] = {
    "/models/{model_name}/{model_version}/artifact": {
        "get": {
            "tags": ["builds"],
            "operationId": "builds.artifact",
            "summary": "Gives a READY version as a zip that predicts without the server.",
            "description": "For `modelwright_client.load`; `Range` asks for a part, `ETag` stays.",
            "parameters": path_parameters("model_name", "model_version"),
            "responses": {
                **file_responses("artifact", bytes_content("application/zip")),
                "304": {"description": "It is the one whose `ETag` was sent."},
            },
        }
    }
}
"""What the document's `paths` gain."""
