"""What is asked, what is known of an answer, and when two questions are the same.

A question that was verified is found again by its fingerprint: how it is normalised decides which
questions are the same.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from modelwright.engines.chart_spec import ChartSpec

MAX_QUERY_LENGTH = 100_000
"""Characters of a statement of SQL."""
MAX_QUESTION_LENGTH = 2_000
"""Characters of a question in words."""
CHOICE_ROWS = 5
"""Rows that a choice is shown with."""


class QueryType(StrEnum):
    """The contract's words."""

    NATURAL_LANGUAGE = "natural_language"
    SQL = "sql"


class ResultType(StrEnum):
    """The contract's words."""

    TABLE = "table"
    VISUALIZATION = "visualization"


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question made into SQL; `interpretation` says in a sentence what was understood."""

    sql: str
    interpretation: str | None = None
    picture: ChartSpec | None = None
    verified: bool = False
    confidence: float | None = None
    """How likely it is right, 0 to 1; None where nobody had to guess."""
    read_by: tuple[str, ...] = ()
    """The readers that agree on this reading."""
    warnings: tuple[str, ...] = ()
    """Warnings about the answer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to read a question that may be meant, with its first rows."""

    reading: ParsedQuestion
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """What is asked of a session; without `max_results` the answer is as long as is usual."""

    query_type: QueryType
    query: str
    max_results: int | None = None
    choice_id: str | None = None
    """The choice that was taken of those that an earlier answer offered."""
    follows: str | None = None
    """The query that this one goes on from."""


@dataclass(frozen=True, slots=True)
class QueryInfo:
    """One entry of a session's history."""

    query_id: str
    account_id: str
    session_id: str
    dataset: str
    query_type: QueryType
    query: str
    executed_at: datetime
    execution_time_ms: float
    reading: ParsedQuestion | None
    """What it was made into; None where it came to nothing."""
    row_count: int | None
    error: str | None
    question: str | None = None
    """The whole question, where it was made of this one and an earlier one."""
    choices: tuple[Choice, ...] = ()
    """What was offered in place of an answer."""

    @property
    def result_type(self) -> ResultType | None:
        """What it was answered with."""
        if self.error is not None or self.reading is None:
            return None
        return ResultType.VISUALIZATION if self.reading.picture else ResultType.TABLE


@dataclass(frozen=True, slots=True)
class VerifiedQueryInfo:
    """A question with the SQL that answers it rightly."""

    query_id: str
    dataset: str
    query: str
    reading: ParsedQuestion
    verified_at: datetime


def normalised(question: str) -> str:
    """Drops what does not change a question: case, spacing, how letters are encoded, its end."""
    text = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(text.split()).rstrip(" .?!")


def fingerprint(question: str) -> str:
    """Hashes a question so that the same ones meet."""
    return sha256(normalised(question).encode()).hexdigest()


def choice_id(query_id: str, number: int) -> str:
    """Names a choice of a query, counted from 1."""
    return f"{query_id}-{number}"


def chosen(name: str) -> tuple[str, int]:
    """Splits a choice's name into its query and its number; the number is 0 where there is none."""
    query_id, _, number = name.rpartition("-")
    return query_id, int(number) if number.isdecimal() else 0
