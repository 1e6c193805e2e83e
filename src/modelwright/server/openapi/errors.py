"""Which refusals an operation can answer with, each status told once an area.

FastAPI documents 200 and 422; which refusals a client must expect follows from permission, path and
body.
"""

from modelwright.core.errors import ApiArea, ErrorType, area_of, code_of
from modelwright.core.http.exception_handlers import status_line
from modelwright.core.http.schemas import Json

SENTENCES: dict[ErrorType, str] = {
    ErrorType.INVALID_REQUEST: "The body is malformed, or a required member is missing.",
    ErrorType.UNAUTHORIZED: "Nobody is signed in: no key was sent.",
    ErrorType.INVALID_KEY: "The key is malformed or unknown.",
    ErrorType.EXPIRED_KEY: "The key's time has run out.",
    ErrorType.REVOKED_KEY: "The key was revoked.",
    ErrorType.FORBIDDEN: "The account, or the signed address, may not do this now.",
    ErrorType.INSUFFICIENT_PERMISSIONS: "The key's level is too low.",
    ErrorType.NOT_FOUND: "Nothing of the caller's has this name or id.",
    ErrorType.CONFLICT: "The present state forbids it.",
    ErrorType.PAYLOAD_TOO_LARGE: "The body, or what it declares, is larger than allowed.",
    ErrorType.VALIDATION: "A member is there but wrong; `details` names it.",
    ErrorType.LOCKED_OUT: "Too many failed sign-ins from this address.",
    ErrorType.RATE_LIMITED: "Too many requests.",
    ErrorType.INTERNAL: "Something went wrong on the server's side.",
    ErrorType.UNAVAILABLE: "A needed part cannot serve now; try again later.",
}
KEYED = {
    ErrorType.UNAUTHORIZED,
    ErrorType.INVALID_KEY,
    ErrorType.EXPIRED_KEY,
    ErrorType.REVOKED_KEY,
    ErrorType.FORBIDDEN,
    ErrorType.INSUFFICIENT_PERMISSIONS,
    ErrorType.LOCKED_OUT,
    ErrorType.RATE_LIMITED,
}
"""Wherever a key is asked for."""
BESIDES: dict[str, set[ErrorType]] = {
    "builds.artifact": {ErrorType.CONFLICT},
    "catalog.read": {ErrorType.CONFLICT},
    "catalog.update": {ErrorType.CONFLICT},
    "connections.tables": {ErrorType.CONFLICT, ErrorType.UNAVAILABLE},
    "datasets.preview": {ErrorType.CONFLICT, ErrorType.PAYLOAD_TOO_LARGE},
    "endpoints.history": {ErrorType.CONFLICT},
    "endpoints.read": {ErrorType.CONFLICT},
    "exports.download": {ErrorType.CONFLICT},
    "models.card": {ErrorType.CONFLICT},
    "monitoring.read": {ErrorType.CONFLICT},
    "users.begin_second_factor": {ErrorType.CONFLICT},
    "users.change_password": {ErrorType.CONFLICT},
    "users.confirm_second_factor": {ErrorType.CONFLICT},
    "users.disable_second_factor": {ErrorType.CONFLICT},
    "users.leave": {ErrorType.NOT_FOUND, ErrorType.UNAVAILABLE},
    "users.arrive": {ErrorType.NOT_FOUND, ErrorType.UNAVAILABLE},
    "storage.get": {ErrorType.FORBIDDEN},
    "storage.put": {ErrorType.FORBIDDEN},
}
"""What the shape of an operation does not tell."""
OTHERS = {"upload_id", "job_id", "session_id", "connection_id", "dataset_id"}
"""Members and parameters that name something which may not be there."""
COMPONENTS: Json = {
    "Error": {
        "type": "object",
        "description": "A refusal; the same everywhere.",
        "required": ["error"],
        "properties": {"error": {"$ref": "#/components/schemas/Refusal"}},
    },
    "Refusal": {
        "type": "object",
        "description": "What is wrong, and what to do.",
        "required": ["code", "message", "status"],
        "properties": {
            "code": {"type": "string"},
            "message": {"type": "string", "description": "What is wrong and what to do."},
            "status": {"type": "integer", "description": "The status before the gateway."},
            "request_id": {"type": "string"},
            "details": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/ErrorDetail"},
            },
        },
    },
    "ErrorDetail": {
        "type": "object",
        "description": (
            "A field and why it was refused; of the field `choice`, what a question may mean."
        ),
        "required": ["field", "message"],
        "properties": {
            "field": {"type": "string"},
            "message": {"type": "string"},
            "choice_id": {
                "type": "string",
                "description": "Of a reading that may be meant.",
            },
            "generated_sql": {
                "type": "string",
                "description": "The SQL of that reading.",
            },
            "columns": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The names of the columns that it gives.",
            },
            "rows": {
                "type": "array",
                "items": {"type": "array", "items": {}},
                "description": "The first rows that it gives.",
            },
            "confidence": {
                "type": ["number", "null"],
                "description": "How likely that reading is right, 0 to 1.",
            },
        },
    },
}
"""The body of every refusal."""


def kinds_of(path: str, verb: str, operation: Json, members: set[str]) -> set[ErrorType]:
    """Tells what an operation may refuse; `members` are those of its body."""
    named = {one["name"] for one in operation.get("parameters", []) if one["in"] != "path"}
    kinds = {ErrorType.INVALID_REQUEST, ErrorType.INTERNAL} | BESIDES.get(
        operation["operationId"], set()
    )
    if operation.get("security") != []:
        kinds |= KEYED
    elif path.startswith("/console"):
        kinds |= {ErrorType.UNAUTHORIZED, ErrorType.LOCKED_OUT}
    if "{" in path or (named | members) & OTHERS:
        kinds.add(ErrorType.NOT_FOUND)
    if named or verb == "post" or "requestBody" in operation:
        kinds.add(ErrorType.VALIDATION)
    if "requestBody" in operation:
        kinds.add(ErrorType.PAYLOAD_TOO_LARGE)
    if verb != "get" and operation.get("tags") != ["users"]:
        kinds.add(ErrorType.CONFLICT)
        if area_of(path) is not ApiArea.AUTH:
            kinds.add(ErrorType.UNAVAILABLE)
    return kinds


def responses(path: str, verb: str, kinds: set[ErrorType], shared: Json) -> Json:
    """Answers the refusals by status; those that a whole area shares are kept in `shared`."""
    by_status: dict[int, list[ErrorType]] = {}
    for kind in SENTENCES:
        if kind in kinds:
            by_status.setdefault(status_line(verb.upper(), path, kind), []).append(kind)
    answers: Json = {}
    for status, refused in sorted(by_status.items()):
        made = _response(area_of(path), status, refused)
        name = f"{area_of(path).value}.{'.'.join(kind.name.lower() for kind in refused)}"
        is_plain = all(kind.value[0] == status for kind in refused)
        if is_plain:
            shared.setdefault(name, made)
        answers[str(status)] = {"$ref": f"#/components/responses/{name}"} if is_plain else made
    return answers


def _response(area: ApiArea, status: int, kinds: list[ErrorType]) -> Json:
    """Describes the answers of one status, with an example of each code."""
    examples: Json = {}
    sentences = []
    for kind in kinds:
        code = code_of(area, kind)
        sentences.append(f"`{code}`: {SENTENCES[kind]}")
        error = {"code": code, "message": SENTENCES[kind], "status": kind.value[0]}
        examples.setdefault(code, {"value": {"error": error}})
    headers = ["X-Request-Id", "API-Version"]
    if status == ErrorType.RATE_LIMITED.value[0]:
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
