"""What is asked, what is known of an answer, and when two questions are the same."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

MAX_QUERY_LENGTH = 100_000
MAX_QUESTION_LENGTH = 2_000


class QueryType(StrEnum):
    """The contract's words."""

    NATURAL_LANGUAGE = "natural_language"
    SQL = "sql"


class ResultType(StrEnum):
    """The contract's words."""

    TABLE = "table"
    VISUALIZATION = "visualization"


class ChartType(StrEnum):
    """The charts there are."""

    BAR = "bar_chart"
    LINE = "line_chart"
    PIE = "pie_chart"
    SCATTER = "scatter_plot"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart of a result: which of its columns are drawn, and how."""

    type: ChartType
    label: str
    values: tuple[str, ...]
    title: str
    width: float | None = None
    """How wide the ranges of a histogram are."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question made into SQL; `interpretation` says in a sentence what was understood."""

    sql: str
    interpretation: str | None = None
    picture: Picture | None = None
    verified: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of a session; without `max_results` the answer is as long as is usual."""

    query_type: QueryType
    query: str
    max_results: int | None = None


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """One entry of a session's history."""

    query_id: str
    account_id: str
    session_id: str
    dataset: str
    query_type: QueryType
    query: str
    executed_at: datetime
    execution_time_ms: float
    reading: Reading | None
    """What it was made into; None where it came to nothing."""
    row_count: int | None
    error: str | None

    @property
    def result_type(self) -> ResultType | None:
        """What it was answered with."""
        if self.error is not None or self.reading is None:
            return None
        return ResultType.VISUALIZATION if self.reading.picture else ResultType.TABLE


@dataclass(frozen=True, slots=True)
class VerifiedFacts:
    """A question with the SQL that answers it rightly."""

    query_id: str
    dataset: str
    query: str
    reading: Reading
    verified_at: datetime


def normalised(question: str) -> str:
    """Drops what does not change a question: case, spacing, how letters are encoded, its end."""
    text = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(text.split()).rstrip(" .?!")


def fingerprint(question: str) -> str:
    """Hashes a question so that the same ones meet."""
    return sha256(normalised(question).encode()).hexdigest()
