"""Errors of the feature, and how failures of the query engine are told.

The engine's messages speak of files and states that nobody but the server sees; what is told is
where in the SQL it went wrong.
"""

from collections.abc import Sequence

from modelwright.core.errors import (
    ApiError,
    Conflict,
    Detail,
    RateLimited,
    Unavailable,
    ValidationFailed,
)
from modelwright.engines.sql import failures
from modelwright.queries.domain import Choice, choice_id

BUSY_SECONDS = 5
"""When to come again where all places are taken."""


class TooManyQueries(RateLimited):
    """More queries of a session than a minute may have."""

    def __init__(self, limit: int, retry_after: int) -> None:
        message = f"More than {limit} queries of this session in a minute; wait {retry_after} s."
        super().__init__(message, retry_after=retry_after)


class QueryRefused(ValidationFailed):
    """The query is wrong, asks for what it may not have, or for too much."""


class QuestionNotUnderstood(ValidationFailed):
    """The question's words could not be made into SQL."""

    def __init__(self, why: str, suggestions: Sequence[str]) -> None:
        tries = ", ".join(f'"{one}"' for one in suggestions)
        message = f"query: {why}" + (f" Try for example: {tries}." if tries else "")
        details = [Detail("query", why), *(Detail("suggestion", one) for one in suggestions)]
        super().__init__(message, details=tuple(details))
        self.why = why


class SeveralReadings(ValidationFailed):
    """The question may be meant in several ways; one of them is to be chosen."""

    def __init__(self, why: str, choices: Sequence[Choice]) -> None:
        super().__init__(f"query: {why} Choose what is meant, or ask otherwise.")
        self.why = why
        self.choices = tuple(choices)

    def named(self, query_id: str) -> "SeveralReadings":
        """Gives the choices the names by which they are taken."""
        details = [Detail("query", self.why)]
        for number, one in enumerate(self.choices, 1):
            more = {
                "choice_id": choice_id(query_id, number),
                "generated_sql": one.reading.sql,
                "columns": list(one.columns),
                "rows": [list(row) for row in one.rows],
                "confidence": one.reading.confidence,
            }
            meaning = one.reading.interpretation or one.reading.sql
            details.append(Detail("choice", meaning, more))
        self.details = tuple(details)
        return self


class NoSuchChoice(ValidationFailed):
    """No such choice was offered, or it was offered for another question."""


class UnfitSql(ValidationFailed):
    """The SQL that is to be kept for a question may not run, or holds dates that do not move."""


class NoSuchQuery(ValidationFailed):
    """The query that a question goes on from is not there, or is no question."""


class QueryStopped(Unavailable):
    """The query did not end in time, or could not be begun."""


class NothingToVerify(Conflict):
    """The query failed, or its data is gone: no SQL could be right."""


class NotAQuestion(ValidationFailed):
    """The query was asked in SQL: there is no question to keep its SQL for."""


def overlong(seconds: float) -> QueryStopped:
    """Refuses a question that could not be read in time."""
    return QueryStopped(
        f"The question could not be read in the {seconds:g} seconds that a query may take: shorten"
        " it, name its columns, or ask again when the server is less busy."
    )


def too_many_read(seconds: float) -> QueryStopped:
    """Refuses a question whose turn to be read did not come in time."""
    message = f"Other questions took the {seconds:g} seconds that a query may take; try again."
    return QueryStopped(message, retry_after=BUSY_SECONDS)


def refusal_of(failure: failures.QueryFailed, sql: str, seconds: float) -> ApiError:
    """Tells a failed query as a refusal: where in the SQL, and what may have been meant."""
    if isinstance(failure, failures.SqlFailed):
        return QueryRefused.of("query", _placed(failure, sql))
    if isinstance(failure, failures.OutOfMemory | failures.TooLarge):
        return QueryRefused.of("query", failure.message)
    if isinstance(failure, failures.TimedOut):
        return QueryStopped(f"{failure.message} A query may take {seconds:g} seconds.")
    return QueryStopped(failure.message, retry_after=BUSY_SECONDS)


def _placed(failure: failures.SqlFailed, sql: str) -> str:
    message = failure.message.rstrip(".")
    if failure.position is not None:
        before = sql[: failure.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message += f" (line {line}, column {column})"
    if failure.suggestion:
        message += f'; did you mean "{failure.suggestion}"?'
    return message if message.endswith("?") else message + "."
