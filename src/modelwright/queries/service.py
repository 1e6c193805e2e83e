"""`Queries`: asked of a session, remembered, and verified.

Questions in words, SQL and choices take the same way from here on: what counts, is limited and is
remembered does so for all.
"""

from dataclasses import asdict, dataclass, replace
from datetime import date
from threading import Event
from time import monotonic, perf_counter

from sqlalchemy.orm import Session

from modelwright.catalog.service import Catalogs
from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert_if_absent
from modelwright.core.errors import ApiError, Detail, ValidationFailed, get_or_404
from modelwright.core.http.paging import Page
from modelwright.core.ids import QueryId, new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.limits.store import RateLimitStore, WindowStats
from modelwright.engines.facts import UTC
from modelwright.engines.language.catalog.corrections import DatasetTeaching
from modelwright.engines.language.readers import Exchange
from modelwright.engines.language.teaching import (
    FixedDatesError,
    Taught,
    as_template,
    nearest,
    resolved,
)
from modelwright.queries import repository
from modelwright.queries.checked_sql import checked_sql
from modelwright.queries.domain import (
    ParsedQuestion,
    QueryInfo,
    QueryRequest,
    QueryType,
    VerifiedQueryInfo,
    chosen,
    fingerprint,
    normalised,
)
from modelwright.queries.errors import (
    NoSuchChoice,
    NoSuchQuery,
    NotAQuestion,
    NothingToVerify,
    SeveralReadings,
    UnfitSql,
)
from modelwright.queries.history import History
from modelwright.queries.orm import VerifiedQueryRecord
from modelwright.queries.query_runner import QueryAnswer, QueryRunner, Question
from modelwright.sessions.domain import SessionInfo
from modelwright.sessions.service import Sessions

MINUTE = 60
"""Seconds."""
KEPT_QUERIES_PER_ACCOUNT = 10_000
"""Newest entries of an account's history that are kept."""
CLEANUP_BATCH_ROWS = 10_000
"""Rows that are deleted in one transaction."""
MAX_TAUGHT = 500
"""Newest verified questions of a dataset among which the nearest to a question are looked for."""
MAX_EXAMPLES = 3
"""Verified questions that a reader is shown with a question."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a query is asked of, and what is known of its question."""

    session: SessionInfo
    verified: ParsedQuestion | None = None
    """What somebody found right for it, or chose."""
    question: str | None = None
    """The whole question of the choice, where it was made of that one and an earlier one."""
    conversation: tuple[Exchange, ...] = ()
    examples: tuple[Exchange, ...] = ()
    teachings: tuple[DatasetTeaching, ...] = ()
    """What is said of the session's datasets."""
    warnings: tuple[str, ...] = ()
    """What must be known of the session's data."""
    today: date | None = None
    """The day on which it is asked, where the data's days are told."""
    time_zone: str = UTC
    """Which decides the days and months of moments."""


@dataclass(eq=False)
class Queries:
    """Answers, lists and verifies questions and SQL."""

    clock: Clock
    counters: RateLimitStore
    sessions: Sessions
    catalogs: Catalogs
    query_runner: QueryRunner
    history: History
    limits: Limits = LIMITS

    def find(self, db: Session, ask: QueryRequest, session_id: str | None) -> Context:
        """Finds the session a query goes to, and what is known of its question.

        Reads only: the query itself must run when this transaction is over. Refuses as
        `Sessions.ready`, and a choice or an earlier query that is not there.
        """
        session = self.sessions.ready(db, session_id)
        found = self._found(db, ask, session)
        today = self.catalogs.day(db, session.dataset, self.clock.now())
        warnings = self.sessions.view(db, session).warnings
        zone = self.catalogs.time_zone(db, session.dataset)
        return replace(found, warnings=warnings, today=today, time_zone=zone)

    def _found(self, db: Session, ask: QueryRequest, session: SessionInfo) -> Context:
        if ask.query_type is QueryType.SQL:
            return Context(session)
        teachings = self.catalogs.teachings(db, session)
        return replace(self._known(db, ask, session), teachings=teachings)

    def _known(self, db: Session, ask: QueryRequest, session: SessionInfo) -> Context:
        if ask.choice_id is not None:
            return self._chosen(db, ask, session)
        earlier = self._earlier(db, ask.follows, session) if ask.follows else ()
        if earlier:
            return Context(session, conversation=earlier)
        row = repository.answer_to(db, session.dataset, fingerprint(ask.query))
        if row is not None:
            return Context(session, self._for_today(db, row.to_info()).reading)
        return Context(session, examples=self._examples(db, session, ask.query))

    def _examples(self, db: Session, session: SessionInfo, asked: str) -> tuple[Exchange, ...]:
        """Finds the verified questions of a dataset that are nearest to a question."""
        rows = repository.taught(db, session.dataset, MAX_TAUGHT)
        known = [Taught(row.query, row.sql) for row in rows]
        today = self._today(db, session.dataset)
        return tuple(
            Exchange(one.question, resolved(one.question, one.template, today))
            for one in nearest(asked, known, MAX_EXAMPLES)
        )

    def _chosen(self, db: Session, ask: QueryRequest, session: SessionInfo) -> Context:
        """Finds the reading that was chosen, and the whole question that it was offered for."""
        query_id, number = chosen(ask.choice_id or "")
        row = repository.find(db, query_id)
        offered = (
            row.to_info() if row is not None and row.session_id == session.session_id else None
        )
        if offered is None or not 0 < number <= len(offered.choices):
            raise NoSuchChoice.of("choice_id", "was not offered in this session.")
        if normalised(offered.query) != normalised(ask.query):
            raise NoSuchChoice.of("choice_id", "was offered for another question.")
        return Context(session, offered.choices[number - 1].reading, offered.question)

    def _earlier(
        self, db: Session, query_id: str | None, session: SessionInfo
    ) -> tuple[Exchange, ...]:
        """Finds the query that a question goes on from."""
        row = repository.find(db, query_id or "")
        if row is None or row.session_id != session.session_id:
            raise NoSuchQuery.of("follows", "is no query of this session.")
        query = row.to_info()
        if query.query_type is QueryType.SQL:
            raise NoSuchQuery.of("follows", "was asked in SQL; only questions go on.")
        if query.reading is None and query.choices:
            taken = repository.answered_since(db, query.session_id, query.query, query.query_id)
            query = taken.to_info() if taken is not None else query
        sql = query.reading.sql if query.reading else ""
        return (Exchange(query.question or query.query, sql),)

    def count(self, session: SessionInfo) -> WindowStats:
        """Counts a query of a session, and tells whether it is still allowed."""
        limit = self.limits.queries_per_minute
        return self.counters.hit(f"queries:{session.session_id}", limit, MINUTE)

    def ask(
        self, ask: QueryRequest, context: Context, cancelled: Event
    ) -> tuple[QueryInfo, QueryAnswer]:
        """Answers a query and notes it, also when it is refused; see `QueryRunner.answer`."""
        started = perf_counter()
        entry, question = self._begun(ask, context, cancelled)
        try:
            whole = self.query_runner.whole(question)
            if whole is not None:
                entry = replace(entry, question=whole)
                question = replace(question, ask=replace(ask, query=whole))
            found = self.query_runner.answer(question)
        except SeveralReadings as asked_back:
            message, choices = asked_back.message, asked_back.choices
            took = _since(started)
            offered = replace(entry, execution_time_ms=took, error=message, choices=choices)
            self.history.record(offered)
            raise _warned(asked_back.named(entry.query_id), context) from None
        except ApiError as refusal:
            refused = _warned(refusal, context)
            failed = replace(entry, execution_time_ms=_since(started), error=refused.message)
            self.history.record(failed)
            raise refused from None
        warnings = (*found.reading.warnings, *context.warnings)
        found = replace(found, reading=replace(found.reading, warnings=warnings))
        reading = found.reading if found.chart else replace(found.reading, picture=None)
        done = replace(
            entry,
            execution_time_ms=_since(started),
            reading=reading,
            row_count=found.rows.row_count,
        )
        self.history.record(done)
        return done, found

    def _begun(
        self, ask: QueryRequest, context: Context, cancelled: Event
    ) -> tuple[QueryInfo, Question]:
        """Makes the entry of the history, still without an answer, and what is to be answered."""
        executed_at = self.clock.now()
        session = context.session
        entry = QueryInfo(
            query_id=QueryId(new_id("qry")),
            account_id=session.account_id,
            session_id=session.session_id,
            dataset=session.dataset,
            query_type=ask.query_type,
            query=ask.query,
            executed_at=executed_at,
            execution_time_ms=0.0,
            reading=None,
            row_count=None,
            error=None,
            question=context.question,
        )
        question = Question(
            ask,
            session,
            context.verified,
            context.today or executed_at.date(),
            monotonic() + self.limits.query_seconds,
            cancelled,
            context.conversation,
            context.examples,
            context.teachings,
            context.time_zone,
        )
        return entry, question

    def list_(self, db: Session, session_id: str, page: Page) -> tuple[list[QueryInfo], int]:
        """Lists what was asked of a session, newest first; refuses one not the caller's."""
        self.sessions.read(db, session_id)
        rows, total = repository.page(db, session_id, page)
        return [row.to_info() for row in rows], total

    def sweep(self, db: Session) -> None:
        """Forgets the oldest entries of long histories, some at a time.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        repository.delete_old(db, KEPT_QUERIES_PER_ACCOUNT, CLEANUP_BATCH_ROWS)

    def verify(
        self, db: Session, query_id: str, sql: str | None = None, choice: str | None = None
    ) -> VerifiedQueryInfo:
        """Keeps SQL as the right answer to a question, in place of an earlier one.

        It is that of the query, a choice that the query offered, or what somebody wrote. Relative
        dates stay relative. Refuses what is no question, what has no SQL or wrong SQL, dates that
        would not move with the day, and a query whose data was deleted.
        """
        query = get_or_404(repository.find(db, query_id), "query_id", query_id).to_info()
        if query.query_type is QueryType.SQL:
            raise NotAQuestion.of("query_id", "was asked in SQL; verify a question in words.")
        reading = self._right_reading(db, query, sql, choice)
        known = repository.verified(db, query_id)
        if known is not None and sql is None and choice is None:
            return self._for_today(db, known.to_info())
        if not self.sessions.has_data(db, query.dataset):
            raise NothingToVerify(f"The data that {query_id} was asked of was deleted.")
        asked = fingerprint(query.question or query.query)
        while True:
            self._forget(db, repository.verified(db, query_id))
            self._forget(db, repository.answer_to(db, query.dataset, asked))
            row = self._verified(query, reading, asked)
            if insert_if_absent(db, row):
                return self._for_today(db, row.to_info())

    def _forget(self, db: Session, row: VerifiedQueryRecord | None) -> None:
        if row is not None:
            repository.drop(db, row)
            self.catalogs.unlearn(db, row.query_id)

    def _right_reading(
        self, db: Session, query: QueryInfo, sql: str | None, choice: str | None
    ) -> ParsedQuestion:
        """Finds what is to be kept for a question, its dates opened."""
        reading = query.reading
        if choice is not None:
            query_id, number = chosen(choice)
            if query_id != query.query_id or not 0 < number <= len(query.choices):
                raise NoSuchChoice.of("choice_id", "was not offered by this query.")
            reading = query.choices[number - 1].reading
        if sql is not None:
            session = self.sessions.read(db, query.session_id)
            checked = checked_sql(sql, [one.table for one in session.tables])
            reading = ParsedQuestion(checked, "As it was corrected.")
        if reading is None:
            message = f"The query {query.query_id} has no SQL to verify; give the right `sql`."
            raise NothingToVerify(message)
        asked = query.question or query.query
        day = self.catalogs.day(db, query.dataset, query.executed_at)
        try:
            return replace(reading, sql=as_template(asked, reading.sql, day))
        except FixedDatesError as problem:
            raise UnfitSql.of("sql", str(problem)) from None

    def _today(self, db: Session, dataset: str) -> date:
        return self.catalogs.day(db, dataset, self.clock.now())

    def _for_today(self, db: Session, known: VerifiedQueryInfo) -> VerifiedQueryInfo:
        """Fills in the dates of verified SQL for today."""
        today = self._today(db, known.dataset)
        sql = resolved(known.query, known.reading.sql, today)
        return replace(known, reading=replace(known.reading, sql=sql))

    def unverify(self, db: Session, query_id: str) -> None:
        """Takes a verified question back, by any query that asked it; another stays as it is."""
        row = repository.verified(db, query_id)
        if row is None:
            query = get_or_404(repository.find(db, query_id), "query_id", query_id)
            asked = query.question or query.query
            row = repository.answer_to(db, query.dataset, fingerprint(asked))
        self._forget(db, row)

    def verified(self, db: Session, page: Page) -> tuple[list[VerifiedQueryInfo], int]:
        """Lists verified questions, newest first, and counts them all."""
        rows, total = repository.verified_page(db, page)
        return [self._for_today(db, row.to_info()) for row in rows], total

    def flush(self) -> None:
        """Writes the history down, so that it can be read."""
        self.history.flush()

    def _verified(
        self, query: QueryInfo, reading: ParsedQuestion, asked: str
    ) -> VerifiedQueryRecord:
        return VerifiedQueryRecord(
            query_id=query.query_id,
            dataset=query.dataset,
            fingerprint=asked,
            query=query.question or query.query,
            sql=reading.sql,
            interpretation=reading.interpretation,
            picture=asdict(reading.picture) if reading.picture else None,
            verified_at=self.clock.now(),
        )


def _warned(refusal: ApiError, context: Context) -> ApiError:
    """Adds to a refused question what must be known of the session's data.

    What is not there may be in a newer version that the session does not hold.
    """
    if isinstance(refusal, ValidationFailed):
        refusal.message = " ".join([refusal.message, *context.warnings])
        refusal.details += tuple(Detail("warnings", one) for one in context.warnings)
    return refusal


def _since(started: float) -> float:
    return round((perf_counter() - started) * 1000, 2)
