"""Refusals, one class for each row of the contract's error table, and how each area spells them.

The contract spells the same refusal in several ways by path: services raise what went wrong, and
only here is it known what an area calls it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as made_by
from enum import Enum
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


class ApiArea(Enum):
    """A part of the interface with its own words for the same errors."""

    AUTH = "auth"
    MODELS = "models"
    DATA = "data"


class ErrorType(Enum):
    """What went wrong, before an area has spelt it; the value is the HTTP status."""

    INVALID_REQUEST = (400, "invalid_request")
    UNAUTHORIZED = (401, "unauthorized")
    INVALID_KEY = (401, "invalid_key")
    EXPIRED_KEY = (401, "expired_key")
    REVOKED_KEY = (401, "revoked_key")
    FORBIDDEN = (403, "forbidden")
    INSUFFICIENT_PERMISSIONS = (403, "insufficient_permissions")
    NOT_FOUND = (404, "not_found")
    METHOD_NOT_ALLOWED = (405, "method_not_allowed")
    CONFLICT = (409, "conflict")
    PAYLOAD_TOO_LARGE = (413, "payload_too_large")
    VALIDATION = (422, "validation_failed")
    LOCKED_OUT = (429, "rate_limit_exceeded")
    RATE_LIMITED = (429, "rate_limited")
    INTERNAL = (500, "server_error")
    UNAVAILABLE = (503, "service_unavailable")


AREA_ERROR_CODES: dict[tuple[ApiArea, ErrorType], str] = {
    (ApiArea.AUTH, ErrorType.CONFLICT): "resource_exists",
    (ApiArea.DATA, ErrorType.CONFLICT): "resource_conflict",
    (ApiArea.DATA, ErrorType.FORBIDDEN): "insufficient_permissions",
    (ApiArea.MODELS, ErrorType.VALIDATION): "validation_error",
    (ApiArea.MODELS, ErrorType.RATE_LIMITED): "rate_limit_exceeded",
    (ApiArea.MODELS, ErrorType.INTERNAL): "internal_error",
}
"""Where an area's word differs from the kind's own; everything else is spelt as the kind."""

AREA_PREFIXES = (
    (ApiArea.MODELS, ("/models", "/predict", "/jobs")),
    (ApiArea.DATA, ("/data", "/uploads", "/database", "/storage", "/trash")),
)
"""Where the paths of an area begin; all others are the auth area's."""


def area_of(path: str) -> ApiArea:
    """Names the area a path belongs to; unknown paths are the auth area's."""
    for area, prefixes in AREA_PREFIXES:
        if any(path == prefix or path.startswith(prefix + "/") for prefix in prefixes):
            return area
    return ApiArea.AUTH


def code_of(area: ApiArea, kind: ErrorType) -> str:
    """Spells a kind of error in the words of an area."""
    return AREA_ERROR_CODES.get((area, kind), kind.value[1])


@dataclass(frozen=True, slots=True)
class Detail:
    """One field that was refused, and why."""

    field: str
    message: str
    more: Mapping[str, Any] = made_by(default_factory=dict)
    """Further members, as plain JSON values."""


class ApiError(Exception):
    """An answer other than success; the message is a sentence for the caller."""

    kind: ClassVar[ErrorType] = ErrorType.INTERNAL

    def __init__(
        self, message: str, *, details: tuple[Detail, ...] = (), retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details = details
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status of the contract."""
        return self.kind.value[0]


class InvalidRequest(ApiError):
    """Malformed, or a required member is missing (400)."""

    kind = ErrorType.INVALID_REQUEST


class Unauthorized(ApiError):
    """No key was presented (401)."""

    kind = ErrorType.UNAUTHORIZED


class InvalidKey(ApiError):
    """The key is malformed or unknown (401)."""

    kind = ErrorType.INVALID_KEY


class ExpiredKey(ApiError):
    """The key's time has run out (401)."""

    kind = ErrorType.EXPIRED_KEY


class RevokedKey(ApiError):
    """The key was revoked (401)."""

    kind = ErrorType.REVOKED_KEY


class Forbidden(ApiError):
    """The account may not do this now (403)."""

    kind = ErrorType.FORBIDDEN


class InsufficientPermissions(ApiError):
    """The key's level is too low (403)."""

    kind = ErrorType.INSUFFICIENT_PERMISSIONS


class NotFound(ApiError):
    """No such resource in the caller's account (404)."""

    kind = ErrorType.NOT_FOUND


class MethodNotAllowed(ApiError):
    """The path exists, the method does not (405)."""

    kind = ErrorType.METHOD_NOT_ALLOWED


class Conflict(ApiError):
    """The resource's present state forbids it (409)."""

    kind = ErrorType.CONFLICT


class PayloadTooLarge(ApiError):
    """The body is larger than allowed (413)."""

    kind = ErrorType.PAYLOAD_TOO_LARGE


class ValidationFailed(ApiError):
    """A member is present but wrong (422)."""

    kind = ErrorType.VALIDATION

    @classmethod
    def of(cls, field: str, message: str) -> "ValidationFailed":
        """Makes the refusal of one field."""
        return cls(f"{field}: {message}", details=(Detail(field, message),))


class TooManyAuthFailures(ApiError):
    """Too many failed authentications from one address (429)."""

    kind = ErrorType.LOCKED_OUT


class RateLimited(ApiError):
    """Too many requests in the window (429)."""

    kind = ErrorType.RATE_LIMITED


class Unavailable(ApiError):
    """A needed part cannot serve right now; trying again later may work (503)."""

    kind = ErrorType.UNAVAILABLE


class NewerRelease(Unavailable):
    """A row holds what only a newer release knows, while machines are upgraded (503)."""

    def __init__(self, what: str, word: str) -> None:
        super().__init__(
            f"This has the {what} {word} of a newer release, which this server does not know yet."
            " Try again once all servers are upgraded."
        )


class Damaged(Unavailable):
    """What is stored is damaged or lost; trying again helps once the operator has acted (503)."""


def missing(field: str) -> InvalidRequest:
    """Makes the refusal of a required member that is absent."""
    return InvalidRequest(f"{field} is required.", details=(Detail(field, "is required"),))


LISTINGS: Mapping[str, str] = {
    "connection_id": "GET /database/connections",
    "console_session_id": "GET /auth/sessions",
    "dataset_id": "GET /uploads",
    "dataset_name": "GET /uploads",
    "deployment_id": "GET /models/{model_name}/deployments",
    "ingestion_id": "GET /database/ingest",
    "job_id": "GET /jobs",
    "keyId": "GET /auth/api-keys",
    "model_name": "GET /models",
    "model_version": "GET /models/{model_name}/versions",
    "query_id": "GET /data/sessions/{session_id}/queries",
    "session_id": "GET /data/sessions",
    "upload_id": "GET /uploads",
}
"""What lists the names that a field may have."""


def not_found(field: str, value: str) -> NotFound:
    """Makes the refusal of an id or name that names nothing of the caller's."""
    listing = LISTINGS.get(field)
    what = f"; {listing} lists what there is." if listing else "; name one that there is."
    message = f"{field}: nothing of yours is named {value!r}{what}"
    return NotFound(message, details=(Detail(field, "not found"),))


def get_or_404(it: T | None, field: str, value: str) -> T:
    """Returns what an id or name stands for; refuses one that names nothing of the caller's."""
    if it is None:
        raise not_found(field, value)
    return it
