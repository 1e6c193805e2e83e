"""Learns words from verified questions, once these are kept: their tables are looked at for it.

To look at tables takes a query process and seconds, which no transaction may wait for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING

from modelwright.catalog.service import Catalogs
from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database, scope_to
from modelwright.core.errors import ApiError
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import logger
from modelwright.engines.language.catalog.corrections import DatasetTeaching
from modelwright.engines.language.teaching import resolved
from modelwright.queries import repository
from modelwright.queries.domain import QueryRequest, QueryType
from modelwright.queries.query_runner import QueryRunner, Question
from modelwright.sessions.domain import SessionInfo
from modelwright.sessions.service import Sessions

if TYPE_CHECKING:
    from modelwright.engines.language.bindings import Binding


@dataclass(eq=False)
class Learning:
    """Binds words that a verified question uses to what its SQL uses. Thread-safe."""

    clock: Clock
    database: Database
    sessions: Sessions
    catalogs: Catalogs
    query_runner: QueryRunner
    limits: Limits = LIMITS

    def learn(self, query_id: str) -> None:
        """Keeps what a verified question shows of words; never inside a transaction.

        The question stays verified where its tables cannot be looked at: nothing is learnt then.
        """
        try:
            self._learn(query_id)
        except ApiError as refusal:
            logger().info("queries.not_learnt", query_id=query_id, why=refusal.message)

    def _learn(self, query_id: str) -> None:
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            row = repository.verified(db, query_id)
            if row is None:
                return
            scope_to(db, row.account_id)
            query = repository.find(db, query_id)
            if query is None:
                return
            session = self.sessions.read(db, query.session_id)
            teachings = _without(self.catalogs.teachings(db, session), query_id)
            today = self.catalogs.day(db, row.dataset, self.clock.now())
            known, account = row.to_info(), row.account_id
        sql = resolved(known.query, known.reading.sql, today)
        shown = self._bindings(known.query, sql, session, teachings, today)
        with self.database.transaction(account) as db:
            still = repository.verified(db, query_id)
            if still is not None and still.sql == known.reading.sql:
                self.catalogs.learn(db, query_id, session, shown)

    def _bindings(
        self,
        asked: str,
        sql: str,
        session: SessionInfo,
        teachings: Sequence[DatasetTeaching],
        today: date,
    ) -> "Sequence[Binding]":
        looked = self.sessions.unrecorded_like(session)
        ask = QueryRequest(QueryType.NATURAL_LANGUAGE, asked)
        until = monotonic() + self.limits.query_seconds
        question = Question(ask, looked, None, today, until, Event(), teachings=teachings)
        try:
            return self.query_runner.bindings(question, sql)
        finally:
            self.sessions.release(looked)


def _without(teachings: Sequence[DatasetTeaching], query_id: str) -> tuple[DatasetTeaching, ...]:
    """Leaves out what the question itself showed before."""
    return tuple(
        replace(one, learnt=tuple(each for each in one.learnt if each.query_id != query_id))
        for one in teachings
    )
