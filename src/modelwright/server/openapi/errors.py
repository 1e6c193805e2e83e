"""Which refusals an operation can answer with, each status told once an area."""

from typing import Any

from modelwright.core.errors import Area, Kind, area_of, code_of
from modelwright.core.http.exception_handlers import status_line

Json = dict[str, Any]
SENTENCES: dict[Kind, str] = {
    Kind.INVALID_REQUEST: "The body is malformed, or a required member is missing.",
    Kind.UNAUTHORIZED: "Nobody is signed in: no key was sent.",
    Kind.INVALID_KEY: "The key is malformed or unknown.",
    Kind.EXPIRED_KEY: "The key's time has run out.",
    Kind.REVOKED_KEY: "The key was revoked.",
    Kind.FORBIDDEN: "The account, or the signed address, may not do this now.",
    Kind.INSUFFICIENT_PERMISSIONS: "The key's level is too low.",
    Kind.NOT_FOUND: "Nothing of the caller's has this name or id.",
    Kind.CONFLICT: "The present state forbids it.",
    Kind.PAYLOAD_TOO_LARGE: "The body, or what it declares, is larger than allowed.",
    Kind.VALIDATION: "A member is there but wrong; `details` names it.",
    Kind.LOCKED_OUT: "Too many failed sign-ins from this address.",
    Kind.RATE_LIMITED: "Too many requests.",
    Kind.INTERNAL: "Something went wrong on the server's side.",
    Kind.UNAVAILABLE: "A needed part cannot serve now; try again later.",
}
KEYED = {
    Kind.UNAUTHORIZED,
    Kind.INVALID_KEY,
    Kind.EXPIRED_KEY,
    Kind.REVOKED_KEY,
    Kind.FORBIDDEN,
    Kind.INSUFFICIENT_PERMISSIONS,
    Kind.LOCKED_OUT,
    Kind.RATE_LIMITED,
}
"""Wherever a key is asked for."""
BESIDES: dict[str, set[Kind]] = {
    "builds.artifact": {Kind.CONFLICT},
    "connections.tables": {Kind.CONFLICT, Kind.UNAVAILABLE},
    "datasets.preview": {Kind.CONFLICT},
    "exports.download": {Kind.CONFLICT},
    "models.card": {Kind.CONFLICT},
    "monitoring.read": {Kind.CONFLICT},
    "users.change_password": {Kind.CONFLICT},
    "users.leave": {Kind.NOT_FOUND, Kind.UNAVAILABLE},
    "users.arrive": {Kind.NOT_FOUND, Kind.UNAVAILABLE},
    "storage.get": {Kind.FORBIDDEN},
    "storage.put": {Kind.FORBIDDEN},
}
"""What the shape of an operation does not tell."""
OTHERS = {"upload_id", "job_id", "session_id", "connection_id", "dataset_id"}
"""Members and parameters that name something which may not be there."""
ERROR: Json = {
    "type": "object",
    "title": "Error",
    "description": "A refusal; the same everywhere.",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "status"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string", "description": "What is wrong and what to do."},
                "status": {"type": "integer", "description": "The status before the gateway."},
                "request_id": {"type": "string"},
                "details": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["field", "message"],
                        "properties": {
                            "field": {"type": "string"},
                            "message": {"type": "string"},
                            "choice_id": {
                                "type": "string",
                                "description": "Of a reading that may be meant.",
                            },
                        },
                    },
                },
            },
        }
    },
}


def kinds_of(path: str, verb: str, operation: Json, members: set[str]) -> set[Kind]:
    """Tells what an operation may refuse; `members` are those of its body."""
    named = {one["name"] for one in operation.get("parameters", []) if one["in"] != "path"}
    kinds = {Kind.INVALID_REQUEST, Kind.INTERNAL} | BESIDES.get(operation["operationId"], set())
    if operation.get("security") != []:
        kinds |= KEYED
    elif path.startswith("/console"):
        kinds |= {Kind.UNAUTHORIZED, Kind.LOCKED_OUT}
    if "{" in path or (named | members) & OTHERS:
        kinds.add(Kind.NOT_FOUND)
    if named or verb == "post" or "requestBody" in operation:
        kinds.add(Kind.VALIDATION)
    if "requestBody" in operation:
        kinds.add(Kind.PAYLOAD_TOO_LARGE)
    if verb != "get" and operation.get("tags") != ["users"]:
        kinds.add(Kind.CONFLICT)
        if area_of(path) is not Area.AUTH:
            kinds.add(Kind.UNAVAILABLE)
    return kinds


def responses(path: str, verb: str, kinds: set[Kind], shared: Json) -> Json:
    """Answers the refusals by status; those that a whole area shares are kept in `shared`."""
    told: dict[int, list[Kind]] = {}
    for kind in SENTENCES:
        if kind in kinds:
            told.setdefault(status_line(verb.upper(), path, kind), []).append(kind)
    answers: Json = {}
    for status, refused in sorted(told.items()):
        made = _response(area_of(path), status, refused)
        name = f"{area_of(path).value}.{'.'.join(kind.name.lower() for kind in refused)}"
        is_plain = all(kind.value[0] == status for kind in refused)
        if is_plain:
            shared.setdefault(name, made)
        answers[str(status)] = {"$ref": f"#/components/responses/{name}"} if is_plain else made
    return answers


def _response(area: Area, status: int, kinds: list[Kind]) -> Json:
    examples: Json = {}
    sentences = []
    for kind in kinds:
        code = code_of(area, kind)
        sentences.append(f"`{code}`: {SENTENCES[kind]}")
        error = {"code": code, "message": SENTENCES[kind], "status": kind.value[0]}
        examples.setdefault(code, {"value": {"error": error}})
    headers = ["X-Request-Id", "API-Version"]
    if status == Kind.RATE_LIMITED.value[0]:
        headers.append("Retry-After")
    return {
        "description": " ".join(sentences),
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Error"},
                "examples": examples,
            }
        },
    }
