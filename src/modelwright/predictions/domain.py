"""What an answer may be asked to include."""

from collections.abc import Sequence
from enum import StrEnum


class Include(StrEnum):
    """A member that stands beside the result when asked for."""

    PROBABILITIES = "probabilities"
    EXPLANATION = "explanation"
    INTERVAL = "interval"
    WARNINGS = "warnings"
    ROW_ERRORS = "row_errors"
    """Of many rows one that does not fit is answered by its error; asked for as `errors=rows`."""


WORDS = tuple(one for one in Include if one is not Include.ROW_ERRORS)
"""What `include` may name."""


class UnknownIncludeError(ValueError):
    """A word that names nothing an answer could include."""


def includes_of(given: Sequence[str]) -> frozenset[Include]:
    """Reads `include` as comma-separated words, also over several members; refuses others."""
    words = {word.strip() for one in given for word in one.split(",")} - {""}
    unknown = sorted(words - set(WORDS))
    if unknown:
        message = f"{unknown[0]!r} is none of {', '.join(WORDS)}."
        raise UnknownIncludeError(message)
    return frozenset(Include(word) for word in words)


def errors_of(given: Sequence[str]) -> frozenset[Include]:
    """Reads `errors`: `rows` tells of each row that does not fit, `request` refuses them all."""
    unknown = sorted(set(given) - {"rows", "request"})
    if unknown:
        message = f"{unknown[0]!r} is neither rows nor request."
        raise UnknownIncludeError(message)
    return frozenset({Include.ROW_ERRORS} if "rows" in given else ())
