"""Turns refusals into answers: the contract's body, the area's word, the gateway's status line.

A gateway in front shows only 400 and 500; the true status then stands in the body, and this is the
one place that knows on which paths.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from modelwright.core.errors import (
    ApiError,
    Detail,
    ErrorType,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    ValidationFailed,
    area_of,
    code_of,
)
from modelwright.core.http.json_bodies import check_type
from modelwright.core.validation_sentences import what_it_must_be

MAX_ERROR_DETAILS = 100
"""Fields that one answer tells of at most."""
_GATEWAY_MAPPED_PATHS = re.compile(r"/auth/api-keys(/[^/]+)?|/data/health")
_GATEWAY_ERRORS = {
    ErrorType.UNAUTHORIZED,
    ErrorType.INVALID_KEY,
    ErrorType.EXPIRED_KEY,
    ErrorType.REVOKED_KEY,
    ErrorType.INSUFFICIENT_PERMISSIONS,
    ErrorType.LOCKED_OUT,
    ErrorType.RATE_LIMITED,
    ErrorType.METHOD_NOT_ALLOWED,
}
"""What the gateway itself answers; the rest comes from behind it and is collapsed."""


def status_line(method: str, path: str, kind: ErrorType) -> int:
    """Returns the HTTP status that is sent: collapsed to 400 or 500 on gateway-mapped paths."""
    status: int = kind.value[0]
    mapped = _GATEWAY_MAPPED_PATHS.fullmatch(path) or (method == "POST" and path == "/data/upload")
    if not mapped or kind in _GATEWAY_ERRORS:
        return status
    internal = int(HTTPStatus.INTERNAL_SERVER_ERROR)
    return int(HTTPStatus.BAD_REQUEST) if status < internal else internal


def error_body(path: str, refusal: ApiError, request_id: str) -> dict[str, Any]:
    """Builds the contract's error object."""
    error: dict[str, Any] = {
        "code": code_of(area_of(path), refusal.kind),
        "message": _sendable(refusal.message),
        "status": refusal.status,
        "request_id": request_id,
    }
    if refusal.details:
        error["details"] = [
            {"field": _sendable(d.field), "message": _sendable(d.message), **d.more}
            for d in refusal.details
        ]
    return {"error": error}


def _sendable(text: str) -> str:
    """Spells lone surrogates, which a request's JSON can hold and UTF-8 cannot, as escapes."""
    return text.encode(errors="backslashreplace").decode()


def error_response(method: str, path: str, refusal: ApiError, request_id: str) -> Response:
    """Builds the answer to a refused request."""
    headers = {}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(refusal, MethodNotAllowed):
        headers["Allow"] = ", ".join(detail.message for detail in refusal.details)
        refusal = MethodNotAllowed(refusal.message)
    return Response(
        msgspec.json.encode(error_body(path, refusal, request_id)),
        status_line(method, path, refusal.kind),
        headers,
        media_type="application/json",
    )


def handle_api_error(request: Request, refusal: ApiError) -> Response:
    """Answers a refusal raised while handling a request."""
    return error_response(request.method, request.url.path, refusal, request.state.request_id)


def from_validation_error(request: Request, error: RequestValidationError) -> ApiError:
    """Reads FastAPI's findings as the contract's: absent is 400, present but wrong is 422."""
    findings = _distinct(error.errors()[:MAX_ERROR_DETAILS])
    in_body = any(found["loc"][:1] == ("body",) for found in findings)
    if in_body:
        try:
            check_type(request.headers)
        except InvalidRequest as refusal:
            return refusal
    absent = [_field(found["loc"]) for found in findings if found["type"] == "missing"]
    if absent == ["body"]:
        absent = _required(request) or absent
    if absent:
        details = tuple(Detail(field, "is required") for field in absent)
        verb = "is" if len(absent) == 1 else "are"
        return InvalidRequest(f"{', '.join(absent)} {verb} required.", details=details)
    details = tuple(Detail(_field(found["loc"]), what_it_must_be(found)) for found in findings)
    first = details[0]
    return ValidationFailed(f"{first.field}: {first.message}", details=details)


def _distinct(findings: Sequence[Any]) -> list[Any]:
    """Leaves out what was found again: a route's dependency may read the body too."""
    return list({(found["loc"], found["type"]): found for found in findings}.values())


def _required(request: Request) -> list[str]:
    body = getattr(request.scope.get("endpoint"), "body", None)
    fields = getattr(body, "model_fields", {})
    return [name for name, field in fields.items() if field.is_required()]


def _field(location: tuple[str | int, ...]) -> str:
    parts = [str(part) for part in location]
    if parts and parts[0] in {"body", "query", "path", "header"}:
        parts = parts[1:]
    return ".".join(parts) or "body"


def unknown_path_error(path: str) -> NotFound:
    """Makes the refusal of an unknown path."""
    return NotFound(f"There is nothing at {path}.")
