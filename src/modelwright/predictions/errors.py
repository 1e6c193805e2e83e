"""Refusals of inputs and of too much at once."""

from collections.abc import Mapping
from typing import Any

from modelwright.core.errors import ApiError, Detail, InvalidRequest, Unavailable, ValidationFailed
from modelwright.core.limits.contract import LIMITS


class QueueFull(Unavailable):
    """As many predictions wait as may (503)."""

    def __init__(self) -> None:
        super().__init__("Too many predictions are waiting; try again.", retry_after=1)


def field_missing(field: str, message: str, row: int | None) -> InvalidRequest:
    """Makes the refusal of a row without a field it needs."""
    where, sentence = _placed(field, message, row)
    return InvalidRequest(sentence, details=(Detail(where, message),))


def field_wrong(field: str, message: str, row: int | None) -> ValidationFailed:
    """Makes the refusal of a row with a field of a wrong type."""
    where, sentence = _placed(field, message, row)
    return ValidationFailed(sentence, details=(Detail(where, message),))


def not_an_object(row: int | None, *, is_array: bool = False) -> ValidationFailed:
    """Makes the refusal of an input that is not an object; an array may be meant for a batch."""
    where = "body" if row is None else str(row)
    place = "body" if row is None else _counted(row)
    many = "; an array of rows goes to `predictions`" if is_array and row is None else ""
    message = f"must be an object of field names and values{many}."
    return ValidationFailed(f"{place}: {message}", details=(Detail(where, message),))


def not_an_array() -> ValidationFailed:
    """Makes the refusal of a batch that is not an array."""
    return ValidationFailed.of("body", "must be an array of objects, one for each row.")


def too_many_rows(rows: int) -> ValidationFailed:
    """Makes the refusal of a batch that is too long."""
    most = LIMITS.batch_rows
    return ValidationFailed.of("body", f"{rows} rows are more than {most}; send fewer.")


_TRAVELLING = {kind.kind.name: kind for kind in (InvalidRequest, ValidationFailed)}


class ReplicaError(RuntimeError):
    """A replica failed to answer by a fault of ours."""


def refusal_of(told: Mapping[str, Any]) -> Exception:
    """Makes the refusal that a replica told of, or the fault."""
    refusal = told.get("refusal")
    if refusal is None:
        return ReplicaError(told["failed"])
    kind: type[ApiError] = _TRAVELLING[refusal["kind"]]
    details = tuple(Detail(**detail) for detail in refusal["details"])
    return kind(refusal["message"], details=details)


def _placed(field: str, message: str, row: int | None) -> tuple[str, str]:
    if row is None:
        return field, f"{message}."
    return f"{row}.{field}", f"{_counted(row)}: {message}."


def _counted(row: int) -> str:
    return f"row {row} (counted from 0)"
