"""Rows of the history and of verified questions.

Choices that were offered are kept as they were shown, so that one can be taken later; the rows of
answers are not kept.
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

from msgspec import ValidationError, convert, to_builtins
from sqlalchemy import JSON, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member
from modelwright.engines.chart_spec import ChartSpec
from modelwright.queries.domain import (
    Choice,
    ParsedQuestion,
    QueryInfo,
    QueryType,
    VerifiedQueryInfo,
)

T = TypeVar("T")


def _readable(stored: object, kind: type[T]) -> T | None:
    """Reads stored JSON; None for nothing, and for what only a newer release can read."""
    try:
        return convert(stored, kind) if stored else None
    except ValidationError:
        return None


class QueryRecord(AccountOwned, Base):
    """One query that was asked, whatever came of it."""

    __tablename__ = "queries"
    __table_args__ = (Index("ix_queries_session_id_query_id", "session_id", "query_id"),)

    query_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    session_id: Mapped[str] = mapped_column(String(64))
    dataset: Mapped[str] = mapped_column(String(300))
    query_type: Mapped[str] = mapped_column(String(16))
    query: Mapped[str] = mapped_column(Text)
    executed_at: Mapped[datetime]
    execution_time_ms: Mapped[float]
    sql: Mapped[str | None] = mapped_column(Text)
    interpretation: Mapped[str | None] = mapped_column(Text)
    picture: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    verified: Mapped[bool]
    row_count: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(Text)
    question: Mapped[str | None] = mapped_column(Text)
    choices: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    confidence: Mapped[float | None]
    read_by: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    warnings: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))

    @classmethod
    def of(cls, facts: QueryInfo) -> "QueryRecord":
        """Makes the row of an entry."""
        reading = facts.reading
        picture = asdict(reading.picture) if reading and reading.picture else None
        return cls(
            account_id=facts.account_id,
            query_id=facts.query_id,
            session_id=facts.session_id,
            dataset=facts.dataset,
            query_type=facts.query_type,
            query=facts.query,
            executed_at=facts.executed_at,
            execution_time_ms=facts.execution_time_ms,
            sql=reading.sql if reading else None,
            interpretation=reading.interpretation if reading else None,
            picture=picture,
            verified=bool(reading and reading.verified),
            row_count=facts.row_count,
            error=facts.error,
            question=facts.question,
            choices=to_builtins([asdict(one) for one in facts.choices]) or None,
            confidence=reading.confidence if reading else None,
            read_by=list(reading.read_by) if reading else None,
            warnings=list(reading.warnings) if reading else None,
        )

    def to_info(self) -> QueryInfo:
        """Tells what is known of the query."""
        picture = _readable(self.picture, ChartSpec)
        reading = None
        if self.sql:
            reading = ParsedQuestion(
                self.sql,
                self.interpretation,
                picture,
                self.verified,
                self.confidence,
                tuple(self.read_by or ()),
                tuple(self.warnings or ()),
            )
        kind = read_member(QueryType, self.query_type)
        choices = tuple(filter(None, (_readable(one, Choice) for one in self.choices or [])))
        return to_dataclass(self, QueryInfo, query_type=kind, reading=reading, choices=choices)


class VerifiedQueryRecord(AccountOwned, Base):
    """A question of a dataset with the SQL that somebody found right."""

    __tablename__ = "verified_queries"
    __table_args__ = (
        UniqueConstraint("account_id", "dataset", "fingerprint", name="uq_verified_queries_asked"),
    )

    query_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    dataset: Mapped[str] = mapped_column(String(300))
    fingerprint: Mapped[str] = mapped_column(String(64))
    query: Mapped[str] = mapped_column(Text)
    sql: Mapped[str] = mapped_column(Text)
    interpretation: Mapped[str | None] = mapped_column(Text)
    picture: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    verified_at: Mapped[datetime]

    def to_info(self) -> VerifiedQueryInfo:
        """Tells what is known of the question."""
        picture = _readable(self.picture, ChartSpec)
        reading = ParsedQuestion(self.sql, self.interpretation, picture, verified=True)
        return VerifiedQueryInfo(self.query_id, self.dataset, self.query, reading, self.verified_at)
