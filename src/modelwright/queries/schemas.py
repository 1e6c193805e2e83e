"""What queries are asked and what they answer.

An entry of the history tells how a question was read as the answer did, so that either can be
verified.
"""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.core.limits.contract import LIMITS
from modelwright.queries.domain import (
    MAX_QUERY_LENGTH,
    MAX_QUESTION_LENGTH,
    ParsedQuestion,
    QueryInfo,
    QueryRequest,
    QueryType,
    VerifiedQueryInfo,
)


class AskQuery(RequestBody):
    """A query, in SQL or in words."""

    query_type: Literal["natural_language", "sql"]
    query: Annotated[Text, Field(min_length=1, max_length=MAX_QUERY_LENGTH)]
    max_results: Annotated[int, Field(ge=1, le=LIMITS.query_rows_max)] | None = None
    """Rows at most, up to 10,000; 100 by default, and for a chart as many points as it takes."""
    session_id: Text | None = None
    """The session that is asked; by default the account's default one, else the newest open one."""
    choice_id: Text | None = None
    """The reading that is meant, of those that the same question was answered with."""
    follows: Text | None = None
    """The query that this question goes on from: `and only in 2024?`."""

    @field_validator("query")
    @classmethod
    def _bounded(cls, query: str, info: ValidationInfo) -> str:
        if not query.strip():
            raise ValueError("must not be blank")
        in_words = info.data.get("query_type") == "natural_language"
        if in_words and len(query) > MAX_QUESTION_LENGTH:
            raise ValueError(f"a question has at most {MAX_QUESTION_LENGTH} characters")
        return query

    def ask(self) -> QueryRequest:
        """Returns the question or SQL."""
        kind = QueryType(self.query_type)
        return QueryRequest(kind, self.query, self.max_results, self.choice_id, self.follows)


class Verify(RequestBody):
    """The right SQL for a question; without a member it is the SQL that answered."""

    sql: Annotated[Text, Field(min_length=1, max_length=MAX_QUERY_LENGTH)] | None = None
    """The SQL that is right."""
    choice_id: Text | None = None
    """The choice that is right, of those that the query offered."""

    @field_validator("choice_id")
    @classmethod
    def _alone(cls, choice_id: str | None, info: ValidationInfo) -> str | None:
        if choice_id is not None and info.data.get("sql") is not None:
            raise ValueError("is given beside sql; give one of them")
        return choice_id


class QueryEntry(ResponseBody):
    """A query and its result."""

    query_id: str
    query_type: str
    query: str
    executed_at: Timestamp
    execution_time_ms: float
    result_type: str | None
    """`table` or `visualization`; null where it failed."""
    generated_sql: str | None
    interpretation: str | None
    row_count: int | None
    verified: bool
    """Whether it was answered by a verified question."""
    error: str | None
    question: str | None
    """The whole question, where it went on from an earlier one."""
    confidence: float | None
    """How likely the reading is right, 0 to 1; null where nobody had to guess."""
    read_by: list[str]
    """The readers that agree on this reading."""
    warnings: list[str]

    @classmethod
    def of(cls, query: QueryInfo) -> "QueryEntry":
        """Shows an entry of the history."""
        reading = query.reading or ParsedQuestion("")
        return cls.showing(
            query,
            generated_sql=reading.sql or None,
            interpretation=reading.interpretation,
            verified=reading.verified,
            confidence=reading.confidence,
            read_by=list(reading.read_by),
            warnings=list(reading.warnings),
        )


class History(ResponseBody):
    """A page of a session's queries, newest first."""

    queries: list[QueryEntry]
    pagination: Pagination


class VerifiedQuery(ResponseBody):
    """A question that is answered by verified SQL."""

    query_id: str
    query: str
    generated_sql: str
    interpretation: str | None
    verified: bool
    verified_at: Timestamp

    @classmethod
    def of(cls, known: VerifiedQueryInfo) -> "VerifiedQuery":
        """Shows a verified question."""
        sql, words = known.reading.sql, known.reading.interpretation
        return cls.showing(known, generated_sql=sql, interpretation=words, verified=True)


class VerifiedList(ResponseBody):
    """A page of verified questions, newest first."""

    verified_queries: list[VerifiedQuery]
    pagination: Pagination


class Unverified(ResponseBody):
    """A question that is no longer verified."""

    query_id: str
    verified: bool = False
