"""What an answer may be asked to include."""

from collections.abc import Sequence
from enum import StrEnum


class Include(StrEnum):
    """A member that stands beside the result when asked for."""

    PROBABILITIES = "probabilities"
    EXPLANATION = "explanation"
    INTERVAL = "interval"


class UnknownIncludeError(ValueError):
    """A word that names nothing an answer could include."""


def includes_of(given: Sequence[str]) -> frozenset[Include]:
    """Reads `include` as comma-separated words, also over several members; refuses others."""
    words = {word.strip() for one in given for word in one.split(",")} - {""}
    unknown = sorted(words - set(Include))
    if unknown:
        message = f"{unknown[0]!r} is none of {', '.join(Include)}."
        raise UnknownIncludeError(message)
    return frozenset(Include(word) for word in words)
