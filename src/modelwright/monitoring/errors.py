"""Errors of feedback."""

from modelwright.core.errors import ValidationFailed


def invalid_feedback(place: int, kind: str, target: str) -> ValidationFailed:
    """Makes the refusal of a truth that is not of the target's type."""
    return ValidationFailed.of(f"{place}.actual", f"must be of the type of {target}: {kind}.")
