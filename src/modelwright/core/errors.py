"""Refusals, one class for each row of the contract's error table, and how each area spells them."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as made_by
from enum import Enum
from typing import Any, ClassVar, TypeVar

T = TypeVar("T")


class Area(Enum):
    """A part of the interface with its own words for the same errors."""

    AUTH = "auth"
    MODELS = "models"
    DATA = "data"


class Kind(Enum):
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


SPELLING: dict[tuple[Area, Kind], str] = {
    (Area.AUTH, Kind.CONFLICT): "resource_exists",
    (Area.DATA, Kind.CONFLICT): "resource_conflict",
    (Area.DATA, Kind.FORBIDDEN): "insufficient_permissions",
    (Area.MODELS, Kind.VALIDATION): "validation_error",
    (Area.MODELS, Kind.RATE_LIMITED): "rate_limit_exceeded",
    (Area.MODELS, Kind.INTERNAL): "internal_error",
}
"""Where an area's word differs from the kind's own; everything else is spelt as the kind."""

_AREAS = (
    (Area.MODELS, ("/models", "/predict", "/jobs")),
    (Area.DATA, ("/data", "/uploads", "/database", "/storage")),
)


def area_of(path: str) -> Area:
    """Names the area a path belongs to; unknown paths are the auth area's."""
    for area, prefixes in _AREAS:
        if any(path == prefix or path.startswith(prefix + "/") for prefix in prefixes):
            return area
    return Area.AUTH


def code_of(area: Area, kind: Kind) -> str:
    """Spells a kind of error in the words of an area."""
    return SPELLING.get((area, kind), kind.value[1])


@dataclass(frozen=True, slots=True)
class Detail:
    """One field that was refused, and why."""

    field: str
    message: str
    more: Mapping[str, Any] = made_by(default_factory=dict)
    """Further members, as plain JSON values."""


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """An answer other than success; the message is a sentence for the caller."""

    kind: ClassVar[Kind] = Kind.INTERNAL

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


class InvalidRequest(Refusal):
    """Malformed, or a required member is missing (400)."""

    kind = Kind.INVALID_REQUEST


class Unauthorized(Refusal):
    """No key was presented (401)."""

    kind = Kind.UNAUTHORIZED


class InvalidKey(Refusal):
    """The key is malformed or unknown (401)."""

    kind = Kind.INVALID_KEY


class ExpiredKey(Refusal):
    """The key's time has run out (401)."""

    kind = Kind.EXPIRED_KEY


class RevokedKey(Refusal):
    """The key was revoked (401)."""

    kind = Kind.REVOKED_KEY


class Forbidden(Refusal):
    """The account may not do this now (403)."""

    kind = Kind.FORBIDDEN


class InsufficientPermissions(Refusal):
    """The key's level is too low (403)."""

    kind = Kind.INSUFFICIENT_PERMISSIONS


class NotFound(Refusal):
    """No such resource in the caller's account (404)."""

    kind = Kind.NOT_FOUND


class MethodNotAllowed(Refusal):
    """The path exists, the method does not (405)."""

    kind = Kind.METHOD_NOT_ALLOWED


class Conflict(Refusal):
    """The resource's present state forbids it (409)."""

    kind = Kind.CONFLICT


class PayloadTooLarge(Refusal):
    """The body is larger than allowed (413)."""

    kind = Kind.PAYLOAD_TOO_LARGE


class ValidationFailed(Refusal):
    """A member is present but wrong (422)."""

    kind = Kind.VALIDATION

    @classmethod
    def of(cls, field: str, message: str) -> "ValidationFailed":
        """Makes the refusal of one field."""
        return cls(f"{field}: {message}", details=(Detail(field, message),))


class LockedOut(Refusal):
    """Too many failed authentications from one address (429)."""

    kind = Kind.LOCKED_OUT


class RateLimited(Refusal):
    """Too many requests in the window (429)."""

    kind = Kind.RATE_LIMITED


class Unavailable(Refusal):
    """A needed part cannot serve right now; trying again later may work (503)."""

    kind = Kind.UNAVAILABLE


def missing(field: str) -> InvalidRequest:
    """Makes the refusal of a required member that is absent."""
    return InvalidRequest(f"{field} is required.", details=(Detail(field, "is required"),))


def not_found(field: str, value: str) -> NotFound:
    """Makes the refusal of an id or name that names nothing of the caller's."""
    message = f"{field}: nothing of yours is named {value!r}."
    return NotFound(message, details=(Detail(field, "not found"),))


def must(it: T | None, field: str, value: str) -> T:
    """Gives what an id or name stands for; refuses one that names nothing of the caller's."""
    if it is None:
        raise not_found(field, value)
    return it
