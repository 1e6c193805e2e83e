"""What the client is told when a query fails: our sentence, where, and a name to try.

DuckDB's own texts may show paths, settings and its catalogue; only kinds of error that speak of
the statement and its values are passed on, without their lists of candidates.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from modelwright.engines.sql.failures import OutOfMemory, QueryFailed, SqlFailed, Unavailable

SHOWN_ERROR_TYPES = frozenset(
    (
        "Binder Conversion Parser Syntax Decimal Mismatch_Type Divide_by_Zero Out_of_Range "
        "Invalid_Input Invalid_type Not_implemented Catalog Expression Parameter_Not_Resolved"
    )
    .replace("_", "-")
    .split()
)
CUTS = (
    "\nCandidate",
    "\n\tCandidate",
    "\nDid you mean",
    "\nPossible solutions",
    ' Use "SET ',
    " Use SET ",
)
FATAL = frozenset(("INTERNAL", "FATAL"))
LEAST_SIMILARITY = 70
"""The least likeness, of 100, at which a name is offered."""


def closest_name(name: str, names: Iterable[str]) -> str | None:
    """Returns the name that was most likely meant.

    Args:
        name: What was written.
        names: What may have been meant.

    Returns:
        One of `names`, or None where none is like it.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - heavy, kept out of start-up

    choices = sorted(names)
    found = process.extractOne(
        name.lower(), choices, scorer=fuzz.ratio, processor=str.lower, score_cutoff=LEAST_SIMILARITY
    )
    return found[0] if found else None


def safe_message(message: str) -> str:
    """Returns the part of a DuckDB message that speaks of the statement.

    Args:
        message: The message of DuckDB.

    Returns:
        The message without candidates and advice on settings.
    """
    for cut in CUTS:
        message = message.split(cut, 1)[0]
    return message.strip().rstrip("!")


def error_details(error: Exception) -> dict[str, Any]:
    """Reads what DuckDB says of an error, with `errors_as_json` on.

    Args:
        error: The error as the client raised it.

    Returns:
        `exception_type`, `exception_message`, and more where DuckDB gave JSON.
    """
    text = str(error)
    try:
        found: dict[str, Any] = json.loads(text[text.index("{") :])
    except ValueError:
        kind, _, message = text.partition(" Error: ")
        return {"exception_type": kind, "exception_message": message.split("\n\nLINE ", 1)[0]}
    return found


def query_failure(
    error: Exception, sql: str, columns: Mapping[str, Sequence[str]], secrets: Iterable[str]
) -> QueryFailed:
    """Turns an error of DuckDB into the failure to answer with.

    Args:
        error: The error as the client raised it.
        sql: The statement.
        columns: Names of columns by the name of their table.
        secrets: Texts never to show, such as paths.

    Returns:
        The failure, with position and suggestion where there are some.
    """
    details = error_details(error)
    kind, message = (
        details.get("exception_type", ""),
        safe_message(details.get("exception_message", "")),
    )
    if kind in {"Out of Memory", "OutOfMemory"} or isinstance(error, MemoryError):
        return OutOfMemory("The query needs more memory than a session has; narrow it down.")
    if kind == "IO":
        return Unavailable("The session's data cannot be read.")
    if kind.replace(" ", "-") not in SHOWN_ERROR_TYPES or any(
        secret in message for secret in secrets
    ):
        return SqlFailed("The query cannot be run; simplify it.")
    suggestion = None
    if details.get("error_subtype") == "COLUMN_NOT_FOUND":
        names = {column for own in columns.values() for column in own}
        suggestion = closest_name(str(details.get("name", "")), names | set(columns))
    return SqlFailed(message, _character(sql, details.get("position")), suggestion)


def _character(sql: str, position: str | None) -> int | None:
    return None if position is None else len(sql.encode()[: int(position)].decode(errors="ignore"))
