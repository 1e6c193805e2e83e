"""From a question to rows: verified SQL, a choice that was taken, or what the arbiter decides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from modelwright.core.errors import ApiError
from modelwright.core.fair_queue import FairQueue
from modelwright.core.limits.contract import Limits
from modelwright.core.logging import logger
from modelwright.engines.facts import UTC
from modelwright.engines.language.catalog.corrections import DatasetTeaching
from modelwright.engines.sql.executor import BoundedStatement, Rows
from modelwright.engines.sql.failures import QueryFailed, SqlFailed
from modelwright.queries.charts import MOST_POINTS, ResultChart, draw
from modelwright.queries.domain import (
    CHOICE_ROWS,
    Choice,
    ParsedQuestion,
    QueryRequest,
    QueryType,
)
from modelwright.queries.errors import (
    QuestionNotUnderstood,
    SeveralReadings,
    overlong,
    refusal_of,
    too_many_read,
)
from modelwright.queries.question_context import Infer, SessionContext, SessionContexts
from modelwright.queries.result_units import units_of_result, units_of_tables
from modelwright.sessions.domain import SessionInfo
from modelwright.sessions.service import Sessions

if TYPE_CHECKING:
    from modelwright.engines.language.arbiter import arbiter
    from modelwright.engines.language.arbiter.reading import Reading
    from modelwright.engines.language.arbiter.results import Result
    from modelwright.engines.language.bindings import Binding
    from modelwright.engines.language.catalog.meaning import Catalog
    from modelwright.engines.language.readers import (
        Example,
        Exchange,
        Outcome,
        Reader,
        ReadRequest,
    )
    from modelwright.engines.language.rules.columns.schema import TableFacts

    Prepare = Callable[[Sequence[TableFacts], Catalog, str], None]

MAX_READERS = 3
"""Questions that are read at the same time: reading takes the process from its other requests."""
READERS_PER_ACCOUNT = 2
"""Of them, those of one account."""
READERS_RESERVED = 2
"""Beside them, for accounts none of whose questions is being read."""
RESERVE_SECONDS = 5.0
"""What is left to the query itself when language models are asked."""
COMPARED_ROWS = 1_000
"""Readings are compared by so many rows of their results."""
MAX_SUGGESTIONS = 3
"""Suggestions beside an answer."""
NOTHING_BEFORE = (
    "“{}” points at an earlier answer, and the question goes on from none: name the earlier query"
    " in follows, or say which rows are meant."
)
FAILS_ON_ROWS = "it fails on some row, whose value is not as it expects; TRY_CAST may help."
NOT_JUDGED = "What it wrote could not be checked, and was left out."


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """An answer: the SQL that ran, its rows, and the chart where one was asked for."""

    reading: ParsedQuestion
    rows: Rows
    chart: ResultChart | None
    units: list[str] | None = None
    """The unit of each column, empty where none is known; None where none is of any."""


@dataclass(frozen=True, slots=True)
class Question:
    """One query under way."""

    ask: QueryRequest
    session: SessionInfo
    verified: ParsedQuestion | None
    """What somebody found right for it, or chose."""
    today: date
    until: float
    """When it must be answered, in seconds of the monotonic clock."""
    cancelled: Event
    conversation: "Sequence[Exchange]" = ()
    examples: "Sequence[Example]" = ()
    teachings: Sequence[DatasetTeaching] = ()
    """What is said of the session's datasets."""
    time_zone: str = UTC
    """Which decides the days and months of moments."""
    ran: dict[str, Rows] = field(default_factory=dict)
    """What was run for it, by its SQL."""

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.until - monotonic()

    def is_over(self) -> bool:
        """Returns whether nobody waits for an answer any more."""
        return self.left <= 0 or self.cancelled.is_set()


class QueryRunner:
    """Answers queries, outside any transaction."""

    def __init__(
        self,
        sessions: Sessions,
        infer: Infer,
        limits: Limits,
        models: "Sequence[Reader]" = (),
        *,
        prepare: "Prepare | None" = None,
        right_of_answered: float | None = None,
    ) -> None:
        self._sessions = sessions
        self._limits = limits
        self._models = tuple(models)
        self._prepare = prepare
        self._right_of_answered = right_of_answered
        self._contexts = SessionContexts(infer)
        self._turns = FairQueue(MAX_READERS, READERS_PER_ACCOUNT, READERS_RESERVED)

    def answer(self, question: Question) -> QueryAnswer:
        """Finds the answer; refuses wrong SQL, what is not understood, and what takes too long."""
        if question.ask.query_type is QueryType.SQL:
            return self._carried_out(question, ParsedQuestion(question.ask.query))
        if question.verified is not None:
            found = self._tried(question, question.verified)
            if found is not None:
                return found
        return self._as_decided(question)

    def whole(self, question: Question) -> str | None:
        """Makes one whole question of one that goes on from an earlier one; None of any other.

        Refuses one that points at an earlier answer and goes on from none.
        """
        from modelwright.engines.language.conversation.follow_up import (  # noqa: PLC0415 - heavy
            compile_follow_up,
            points_back,
        )

        if not question.conversation:
            if question.ask.query_type is QueryType.NATURAL_LANGUAGE and not question.verified:
                linker = self._known(question).linker
                if word := points_back(question.ask.query, linker, question.today):
                    raise QuestionNotUnderstood(NOTHING_BEFORE.format(word), ())
            return None
        earlier = question.conversation[-1]
        known = self._known(question)
        compiled = compile_follow_up(
            earlier.question,
            question.ask.query,
            known.linker,
            question.today,
            is_answered=bool(earlier.sql),
            sql=known.readings.as_seen(earlier.sql),
        )
        if compiled is None:
            raise QuestionNotUnderstood("It is not clear what of the earlier question changes.", ())
        return compiled

    def bindings(self, question: Question, sql: str) -> "Sequence[Binding]":
        """Finds what SQL that is right for a question shows of its words."""
        from modelwright.engines.language.bindings import bindings  # noqa: PLC0415 - heavy

        known = self._known(question)
        return bindings(self._request(question, question.ask.query, known), sql, known.linker)

    def _as_decided(self, question: Question) -> QueryAnswer:
        from modelwright.engines.language.arbiter import arbiter  # noqa: PLC0415 - heavy

        decision = self._decided(question, question.ask.query, self._models)
        if isinstance(decision, arbiter.Answer):
            known = self._known(question)
            reading = replace(_reading(decision.reading, known), warnings=decision.warnings)
            found = self._tried(question, reading)
            if found is not None:
                return found
            logger().warning("queries.compared_sql_failed", sql=reading.sql)
            raise QuestionNotUnderstood("It was read as SQL that cannot be run.", ())
        if isinstance(decision, arbiter.Choices):
            raise SeveralReadings(
                decision.why, [_choice(one, self._known(question)) for one in decision.readings]
            )
        raise QuestionNotUnderstood(decision.why, self._working(question, decision.suggestions))

    def _decided(
        self, question: Question, asked: str, models: "Sequence[Reader]"
    ) -> "arbiter.Decision":
        """Has readers read a question, the quick ones first, until one reading is sure enough."""
        from modelwright.engines.language.arbiter import arbiter  # noqa: PLC0415 - heavy

        known = self._known(question)
        request = self._request(question, asked, known)
        judge = arbiter.Arbiter(self._right_of_answered)
        run = partial(self._compared_as_meant, question, known)
        outcomes = self._read_by_rules(question, known, request)
        decision, turned_down = judge.decide(request, outcomes, run), None
        if isinstance(decision, arbiter.Choices) and question.conversation:
            turned_down = self._turned_down(question, known, request, judge)
            decision = judge.decide(request, outcomes, run, turned_down)
        if _is_judged(outcomes):
            return decision
        decide = partial(judge.decide, request, run=run, turned_down=turned_down)
        for at, model in enumerate(models):
            if at and isinstance(decision, arbiter.Answer):
                break
            decision, outcomes = _with(decide, outcomes, model.name, model.read(request))
        if models and arbiter.wants_samples(models[0].name, outcomes, decision):
            samples = models[0].read(replace(request, sampled=True))
            decision, outcomes = _with(decide, outcomes, models[0].name, samples)
        return decision

    def _turned_down(
        self,
        question: Question,
        known: SessionContext,
        request: "ReadRequest",
        judge: "arbiter.Arbiter",
    ) -> list[str] | None:
        """Returns what a follow-up would be of the choices that were not taken before it.

        None where no choices were offered, or none of them was taken.
        """
        from modelwright.engines.language.arbiter import arbiter  # noqa: PLC0415 - heavy
        from modelwright.engines.language.arbiter.results import same_result  # noqa: PLC0415
        from modelwright.engines.language.readers import Candidate  # noqa: PLC0415 - heavy

        earlier = question.conversation[-1]
        if not earlier.sql:
            return None
        before = self._request(replace(question, conversation=()), earlier.question, known)
        run = partial(self._compared_as_meant, question, known)
        offered = judge.decide(before, self._read_by_rules(question, known, before), run)
        taken = run(earlier.sql)
        choices = offered.readings if isinstance(offered, arbiter.Choices) else ()
        others = [one.best.sql for one in choices if not same_result(one.result, taken)]
        if len(others) == len(choices):
            return None
        return [
            one.sql
            for sql in others
            for one in known.conversation.read(
                replace(request, conversation=(replace(earlier, sql=sql),))
            )
            if isinstance(one, Candidate)
        ]

    def _request(self, question: Question, asked: str, known: SessionContext) -> "ReadRequest":
        from modelwright.engines.language.readers import ReadRequest  # noqa: PLC0415 - heavy
        from modelwright.engines.language.wording import written_out  # noqa: PLC0415 - heavy

        asked = written_out(asked)
        return ReadRequest(
            asked,
            known.profile.tables,
            known.catalog,
            question.today,
            known.linker.link(asked, question.today),
            [replace(one, sql=known.readings.as_seen(one.sql)) for one in question.conversation],
            question.examples,
            question.until - RESERVE_SECONDS,
            question.is_over,
            partial(self._mistake, question, known),
            data_id=_kept_by(question.session),
        )

    def _read_by_rules(
        self, question: Question, known: SessionContext, request: "ReadRequest"
    ) -> "list[Outcome]":
        from modelwright.engines.language.rules.text.stopping import TooLong  # noqa: PLC0415

        try:
            with self._turns.turn(question.session.account_id, question.is_over) as has_one:
                if not has_one:
                    raise too_many_read(self._limits.query_seconds)
                readers = [*known.built_in, *([known.conversation] if request.conversation else [])]
                return [one for reader in readers for one in reader.read(request)]
        except TooLong:
            raise overlong(self._limits.query_seconds) from None

    def _working(self, question: Question, suggestions: Sequence[str]) -> list[str]:
        """Keeps the suggestions that would be answered if they were asked first of all."""
        from modelwright.engines.language.arbiter.arbiter import Answer  # noqa: PLC0415 - heavy

        tried, alone = self._known(question).is_working, replace(question, conversation=())
        kept: list[str] = []
        for one in suggestions:
            if len(kept) == MAX_SUGGESTIONS or question.left <= RESERVE_SECONDS:
                break
            if one not in tried:
                tried[one] = isinstance(self._decided(alone, one, ()), Answer)
            kept += [one] if tried[one] else []
        return kept

    def _compared_as_meant(self, question: Question, known: SessionContext, sql: str) -> "Result":
        """Runs what a candidate means by the catalog."""
        from modelwright.engines.language.arbiter.results import Result  # noqa: PLC0415 - heavy

        meant = known.readings.meant(sql)
        if meant is None:
            return Result(error="It uses a metric in a way that has no meaning.")
        return self._compared(question, meant.sql)

    def _compared(self, question: Question, sql: str) -> "Result":
        """Runs a candidate; what goes wrong with it is not the caller's."""
        from modelwright.engines.language.arbiter.results import Result  # noqa: PLC0415 - heavy

        try:
            rows = question.ran.get(sql) or self._run(question, sql, COMPARED_ROWS)
        except QueryFailed as failure:
            if question.is_over():
                raise refusal_of(failure, "", self._limits.query_seconds) from failure
            return Result(error=failure.message)
        question.ran[sql] = rows
        return Result(tuple(rows.columns), rows.rows, rows.truncated)

    def _mistake(
        self, question: Question, known: SessionContext, sql: str, sees_values: bool
    ) -> str | None:
        """Tells a model what is wrong; what rows bring about may show values, so only if it may.

        A mistake that is there without any row shows none.
        """
        meant = known.readings.meant(sql)
        sql = meant.sql if meant else sql
        mistake = self._compared(question, sql).error
        if not mistake or sees_values:
            return mistake or None
        empty = self._compared(question, f"SELECT * FROM (\n{sql}\n) LIMIT 0")  # noqa: S608
        return empty.error or FAILS_ON_ROWS

    def get_ready(self, session: SessionInfo, teachings: Sequence[DatasetTeaching] = ()) -> None:
        """Has models read a session's schema ahead of its first question, in the background."""
        if self._prepare is not None and _kept_by(session):
            arguments = session, teachings
            Thread(target=self._ready, args=arguments, name="get-ready", daemon=True).start()

    def _ready(self, session: SessionInfo, teachings: Sequence[DatasetTeaching]) -> None:
        until = monotonic() + self._limits.query_seconds
        ask = QueryRequest(QueryType.NATURAL_LANGUAGE, "")
        question = Question(ask, session, None, date.min, until, Event(), teachings=teachings)
        try:
            known = self._known(question)
        except ApiError:
            return  # its first question finds out why, and tells
        if self._prepare is not None:
            self._prepare(known.profile.tables, known.catalog, _kept_by(session))

    def _known(self, question: Question) -> SessionContext:
        try:
            return self._contexts.find(
                question.session,
                question.teachings,
                partial(self._run, question),
                question.left / 2,
            )
        except QueryFailed as failure:
            raise refusal_of(failure, "", self._limits.query_seconds) from failure

    def _tried(self, question: Question, reading: ParsedQuestion) -> QueryAnswer | None:
        """Carries out SQL that nobody typed: a mistake in it is not the caller's."""
        try:
            return self._ran(question, reading)
        except SqlFailed:
            return None
        except QueryFailed as failure:
            raise self._told(failure, reading) from failure

    def _carried_out(self, question: Question, reading: ParsedQuestion) -> QueryAnswer:
        try:
            return self._ran(question, reading)
        except QueryFailed as failure:
            raise self._told(failure, reading) from failure

    def _ran(self, question: Question, reading: ParsedQuestion) -> QueryAnswer:
        usual = MOST_POINTS if reading.picture else self._limits.query_rows
        most = question.ask.max_results or usual
        rows = question.ran.get(reading.sql)
        if rows is None or rows.truncated or rows.row_count > most:
            rows = self._run(question, reading.sql, most)
        chart = draw(reading.picture, rows.columns, rows.rows) if reading.picture else None
        return QueryAnswer(reading, rows, chart, _units(question, reading, rows))

    def _run(self, question: Question, sql: str, most: int) -> Rows:
        left = max(0.0, question.left)
        statement = BoundedStatement(sql, most, left, question.cancelled, question.time_zone)
        return self._sessions.run(question.session, statement)

    def _told(self, failure: QueryFailed, reading: ParsedQuestion) -> ApiError:
        return refusal_of(failure, reading.sql, self._limits.query_seconds)


def _with(
    decide: "Callable[[Sequence[Outcome]], arbiter.Decision]",
    outcomes: "Sequence[Outcome]",
    model: str,
    written: "Sequence[Outcome]",
) -> "tuple[arbiter.Decision, list[Outcome]]":
    """Decides with what a model wrote as well: SQL of any kind, which nobody may have foreseen."""
    from modelwright.engines.language.readers import Failed  # noqa: PLC0415 - heavy

    try:
        return decide([*outcomes, *written]), [*outcomes, *written]
    except ApiError:
        raise
    except Exception as problem:  # noqa: BLE001 - whatever it wrote, the question goes on
        logger().error("queries.not_judged", reader=model, exc_info=problem)
    told = [*outcomes, Failed(model, NOT_JUDGED)]
    return decide(told), told


def _is_judged(outcomes: "Sequence[Outcome]") -> bool:
    """Returns whether the rules know that a question has no answer, so that a model would guess."""
    from modelwright.engines.language.readers import Cannot  # noqa: PLC0415 - heavy

    return any(isinstance(one, Cannot) and not one.not_understood for one in outcomes)


def _units(question: Question, reading: ParsedQuestion, rows: Rows) -> list[str] | None:
    """Tells the units of an answer in words; who writes SQL knows what is selected."""
    if question.ask.query_type is QueryType.SQL:
        return None
    units = units_of_tables(question.session.tables, question.teachings)
    return units_of_result(reading.sql, rows.columns, units)


def _kept_by(session: SessionInfo) -> str:
    """Names the upload with which what a model keeps is deleted; of several nothing is kept."""
    return session.upload_id if len(session.upload_ids) == 1 else ""


def _reading(one: "Reading", known: SessionContext) -> ParsedQuestion:
    best = one.best
    said = best.interpretation or f"Written by {best.reader}."
    picture = best.chart and replace(best.chart, title=_title(best.chart.title))
    meant = known.readings.meant(best.sql)
    return ParsedQuestion(
        meant.sql if meant else best.sql,
        meant.explained(said) if meant else said,
        picture,
        confidence=one.probability,
        read_by=one.read_by,
        warnings=one.warnings,
    )


def _choice(one: "Reading", known: SessionContext) -> Choice:
    first = one.result.rows[:CHOICE_ROWS]
    reading = replace(_reading(one, known), warnings=one.warnings_once_chosen)
    return Choice(reading, one.result.columns, tuple(tuple(row) for row in first))


def _title(sentence: str) -> str:
    """Makes a heading of a sentence: what is shown, not how it is sorted."""
    shown = sentence.split(", sorted by", 1)[0].removeprefix("The ").rstrip(".")
    return shown[:1].upper() + shown[1:]
