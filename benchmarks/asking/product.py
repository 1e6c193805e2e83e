"""The product as the benchmark asks it: the one file to change when its entry changes.

Questions go through `queries.query_runner` as those of the API do, with readers, checks and the
arbiter; only the session is a stand-in, whose SQL runs in this process.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Literal, cast

import duckdb
import msgspec

from benchmarks.asking.sets import Data
from modelwright.catalog.inference import Inference
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.facts import ColumnFacts, column_facts
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.conversation.follow_up import compile_follow_up
from modelwright.engines.language.readers import Candidate, Exchange, Reader, ReadRequest
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.intents.intents import Target, find_target
from modelwright.engines.quoting import literal
from modelwright.engines.sql.executor import BoundedStatement, Rows
from modelwright.engines.sql.failures import SqlFailed
from modelwright.queries.domain import QueryRequest, QueryType
from modelwright.queries.errors import QuestionNotUnderstood, SeveralReadings
from modelwright.queries.query_runner import QueryRunner, Question
from modelwright.queries.question_context import SessionContexts
from modelwright.sessions.domain import SessionInfo, SessionTable
from modelwright.sessions.service import Sessions

OWNER = "asking"
"""The upload that stands for the tables of a set."""
OPENING_SECONDS = 600.0
"""How long models may take to read the tables of a set."""
RULES = "rules"
DAY = timedelta(days=1)
ENCODE = msgspec.json.Encoder(decimal_format="number", enc_hook=str).encode


@dataclass(frozen=True)
class Told:
    """What the product said to a question."""

    kind: Literal["answer", "choices", "refused"]
    sql: tuple[str, ...] = ()
    """Of the answer, or of each choice."""
    confidence: float = 0.0
    why: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Planned:
    """What the product makes of an intent: a target with its task, or why not."""

    target: str | None
    task: str | None
    why: str = ""


class _Store:
    """Stands for the sessions: runs SQL over the tables of a set."""

    def __init__(self, data: Data) -> None:
        self._store = data.store()

    def run(self, session: SessionInfo, statement: BoundedStatement) -> Rows:
        del session
        max_rows = statement.max_rows
        begun = time.perf_counter()
        try:
            self._store.execute(f"SET TimeZone = {literal(statement.time_zone)}")
            found = self._store.execute(statement.sql)
            rows = found.fetchmany(max_rows + 1)
        except duckdb.Error as problem:
            raise SqlFailed(str(problem)) from problem
        heads = found.description or []
        return Rows(
            [one[0] for one in heads],
            [str(one[1]) for one in heads],
            ENCODE(rows[:max_rows]),
            len(rows[:max_rows]),
            len(rows) > max_rows,
            1000 * (time.perf_counter() - begun),
        )


class Product:
    """The product with one set of tables and some readers."""

    def __init__(
        self, data: Data, readers: Sequence[Reader], confidence: float | None, seconds: float
    ) -> None:
        self._data = data
        self._seconds = seconds
        self._sessions = _Store(data)
        self._query_runner = QueryRunner(
            cast("Sessions", self._sessions),
            Inference().infer,
            LIMITS,
            readers,
            prepare=self._prepare,
            right_of_answered=confidence,
        )
        self._readers, self._is_ready = readers, Event()
        tables = tuple(SessionTable(name, name, name, (), OWNER) for name in data.tables)
        now = datetime.combine(data.today, datetime.min.time(), UTC)
        self._session = SessionInfo(
            "s", "a", data.name, OWNER, data.name, False, now, now + DAY, None, tables
        )

    def open(self) -> None:
        """Has models read the tables ahead of the first question, as an opened session does."""
        self._query_runner.get_ready(self._session)
        self._is_ready.wait(OPENING_SECONDS)

    def _prepare(self, tables: Sequence[TableFacts], catalog: Catalog, owner: str) -> None:
        from benchmarks.asking.models import PreparedReader

        del owner
        for one in self._readers:
            if isinstance(one, PreparedReader):
                one.open(tables, catalog)
        self._is_ready.set()

    def ask(self, question: str, follows: str | None = None, answered: str = "") -> Told:
        """Asks a question; `follows` is the one before it, `answered` the SQL that answered it."""
        try:
            asked = self._question(question, (Exchange(follows, answered),) if follows else ())
            whole = self._query_runner.whole(asked)
            if whole is not None:
                asked = self._question(whole, asked.conversation)
            found = self._query_runner.answer(asked)
        except SeveralReadings as several:
            ways = tuple(one.reading.sql for one in several.choices)
            best = several.choices[0].reading.confidence or 0.0
            return Told("choices", ways, best, several.why)
        except QuestionNotUnderstood as refusal:
            return Told("refused", why=refusal.why)
        return Told(
            "answer",
            (found.reading.sql,),
            found.reading.confidence or 0.0,
            found.reading.interpretation or "",
            tuple(found.reading.warnings),
        )

    def compiled(self, asked: str, then: str) -> str | None:
        """Makes the whole question of two turns; None where it is refused."""
        try:
            return self._query_runner.whole(self._question(then, (Exchange(asked, ""),)))
        except QuestionNotUnderstood:
            return None

    def _question(self, text: str, conversation: Sequence[Exchange] = ()) -> Question:
        until = time.monotonic() + self._seconds
        return Question(
            QueryRequest(QueryType.NATURAL_LANGUAGE, text, None, None, None),
            self._session,
            None,
            self._data.today,
            until,
            Event(),
            conversation,
        )

    def plan(self, intent: str) -> Planned:
        """Says which column and task an intent means."""
        columns: list[ColumnFacts] = [
            one for path in self._data.tables.values() for one in column_facts([path])
        ]
        found = find_target(intent, columns)
        if isinstance(found, Target):
            return Planned(found.column, found.task)
        return Planned(None, None, found.sentence)


class Alone(Product):
    """One reader asked by itself: its first candidate is the answer, whatever it is worth."""

    def __init__(self, data: Data, reader: str | Reader, seconds: float) -> None:
        super().__init__(data, (), 0.0, seconds)

        def run(sql: str, most: int) -> Rows:
            return self._sessions.run(self._session, BoundedStatement(sql, most, seconds))

        self._known = SessionContexts(Inference().infer).find(self._session, (), run, seconds)
        self._reader = self._known.built_in[0] if isinstance(reader, str) else reader
        self._run = run

    def ask(self, question: str, follows: str | None = None, answered: str = "") -> Told:
        del answered
        if follows:
            whole = compile_follow_up(follows, question, self._known.linker, self._data.today)
            if whole is None:
                return Told("refused", why="The follow-up was not understood.")
            question = whole
        request = ReadRequest(
            question,
            self._known.profile.tables,
            self._known.catalog,
            self._data.today,
            self._known.linker.link(question, self._data.today),
            deadline=time.monotonic() + self._seconds,
            try_sql=self._mistake,
        )
        (first, *_) = self._reader.read(request)
        if not isinstance(first, Candidate):
            return Told("refused", why=first.reason)
        sure = first.confidence if first.confidence is not None else first.min_logprob
        meant = self._known.readings.meant(first.sql)
        return Told("answer", (meant.sql if meant else "",), sure or 0.0, first.interpretation)

    def _mistake(self, sql: str, sees_values: bool) -> str | None:
        del sees_values
        meant = self._known.readings.meant(sql)
        try:
            self._run(meant.sql if meant else sql, 1)
        except SqlFailed as failure:
            return failure.message
        return None


def readers_of(names: Sequence[str], *, kept_only: bool = False) -> list[Reader]:
    """Makes the readers that are asked beside the rules, which are always asked."""
    if names == [RULES]:
        return []
    from benchmarks.asking import models

    make = models.kept if kept_only else models.reader
    return [make(name) for name in names if name != RULES]
