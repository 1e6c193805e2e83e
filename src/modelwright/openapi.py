"""The OpenAPI document: what FastAPI sees, the plain routes beside it, security and refusals."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

import modelwright.exports.openapi
import modelwright.predictions.openapi
import modelwright.queries.openapi
from modelwright.core.errors import Kind, area_of, code_of
from modelwright.core.refusing import status_line

Json = dict[str, Any]
PUBLIC = {"/data/health", "/console/session"}
DESCRIPTION = (
    "Upload tables, ask them questions, say what you want predicted, and call the model. "
    "Every path but health takes an API key in either header. Refusals always have the same body."
)
REFUSED: dict[Kind, str] = {
    Kind.INVALID_REQUEST: "Malformed, or a required member is missing.",
    Kind.UNAUTHORIZED: "The key is missing, malformed, unknown, expired or revoked.",
    Kind.INSUFFICIENT_PERMISSIONS: "The key's level is too low.",
    Kind.NOT_FOUND: "Nothing of the caller's has this name or id.",
    Kind.CONFLICT: "The present state forbids it.",
    Kind.PAYLOAD_TOO_LARGE: "The body is larger than allowed.",
    Kind.VALIDATION: "A member is present but wrong; `details` names it.",
    Kind.RATE_LIMITED: "Too many requests; `Retry-After` says how many seconds to wait.",
    Kind.INTERNAL: "Something went wrong on the server's side.",
    Kind.UNAVAILABLE: "A needed part cannot serve now; try again later.",
}
ERROR: Json = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "status"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "status": {"type": "integer"},
                "request_id": {"type": "string"},
                "details": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["field", "message"],
                        "properties": {
                            "field": {"type": "string"},
                            "message": {"type": "string"},
                        },
                    },
                },
            },
        }
    },
}
STORAGE: Json = {
    "/storage/{key}": {
        verb: {
            "tags": ["storage"],
            "operationId": f"storage.{verb}",
            "summary": summary,
            "description": "A signed address that another answer gave; it needs no API key.",
            "security": [],
            "parameters": [
                {"name": "key", "in": "path", "required": True, "schema": {"type": "string"}}
            ],
            "responses": {"200": {"description": "Done."}},
        }
        for verb, summary in (("put", "Takes the bytes."), ("get", "Gives the bytes away."))
    }
}


def document(app: FastAPI) -> Json:
    """Builds the whole document."""
    made: Json = get_openapi(
        title=app.title,
        version=app.version,
        description=DESCRIPTION,
        routes=app.routes,
        servers=[{"url": "/"}],
    )
    made["paths"] |= modelwright.predictions.openapi.PATHS | STORAGE
    made["paths"] |= modelwright.queries.openapi.PATHS | modelwright.exports.openapi.PATHS
    parts = made.setdefault("components", {})
    parts["securitySchemes"] = {
        "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        "bearer": {"type": "http", "scheme": "bearer"},
    }
    made["security"] = [{"key": []}, {"bearer": []}]
    schemas = parts.setdefault("schemas", {})
    schemas["Error"] = ERROR
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    for path, verbs in made["paths"].items():
        for verb, operation in verbs.items():
            if path in PUBLIC:
                operation["security"] = []
            _add_refusals(path, verb, operation)
    return made


def _add_refusals(path: str, verb: str, operation: Json) -> None:
    told: dict[int, list[str]] = {}
    for kind, sentence in REFUSED.items():
        status = status_line(verb.upper(), path, kind)
        told.setdefault(status, []).append(f"`{code_of(area_of(path), kind)}`: {sentence}")
    answers = operation.setdefault("responses", {})
    answers.pop("422", None)
    reference = {"schema": {"$ref": "#/components/schemas/Error"}}
    for status, sentences in sorted(told.items()):
        answers.setdefault(
            str(status),
            {"description": " ".join(sentences), "content": {"application/json": reference}},
        )
