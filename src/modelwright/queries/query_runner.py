"""From a question to rows: the verified SQL, the language model's, or the built-in parser's."""

from dataclasses import dataclass
from datetime import date
from functools import partial
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from modelwright.core.caching import Cache
from modelwright.core.errors import Refusal
from modelwright.core.limits.contract import Limits
from modelwright.core.logging import logger
from modelwright.engines.sql.executing import Rows
from modelwright.engines.sql.failures import QueryFailed, SqlFailed, TimedOut
from modelwright.queries import llm_sql
from modelwright.queries.charts import MOST_POINTS, Chart, draw
from modelwright.queries.domain import Ask, ChartType, Picture, QueryType, Reading
from modelwright.queries.errors import QuestionNotUnderstood, overlong, told, too_many_read
from modelwright.queries.llm_sql import Writer, WritingFailed
from modelwright.queries.question_context import KEPT, Known, study
from modelwright.queries.reading_turns import Turns
from modelwright.sessions.domain import SessionFacts
from modelwright.sessions.service import Sessions

if TYPE_CHECKING:
    from modelwright.engines.language.rules.answering.charting import Chart as Asked

RESERVE_SECONDS = 5.0
"""What is left to the parser and its query when the language model is asked."""


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """The language model, and what it may take and see."""

    writer: Writer
    seconds: float
    sees_values: bool


@dataclass(frozen=True, slots=True)
class Found:
    """An answer: the SQL that ran, its rows, and the chart where one was asked for."""

    reading: Reading
    rows: Rows
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class Question:
    """One query under way."""

    ask: Ask
    session: SessionFacts
    verified: Reading | None
    today: date
    until: float
    """When it must be answered, in seconds of the monotonic clock."""
    cancelled: Event

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.until - monotonic()

    def is_over(self) -> bool:
        """Tells whether nobody waits for an answer any more."""
        return self.left <= 0 or self.cancelled.is_set()


class Answering:
    """Answers queries, outside any transaction."""

    def __init__(
        self, sessions: Sessions, limits: Limits, language_model: LanguageModel | None = None
    ) -> None:
        self._sessions = sessions
        self._limits = limits
        self._model = language_model
        self._known_tables: Cache[Known] = Cache(KEPT)
        self._turns = Turns()

    def answer(self, question: Question) -> Found:
        """Finds the answer; refuses wrong SQL, what is not understood, and what takes too long."""
        if question.ask.query_type is QueryType.SQL:
            return self._carried_out(question, Reading(question.ask.query))
        for way in (self._as_verified, self._as_written):
            found = way(question)
            if found is not None:
                return found
        return self._as_parsed(question)

    def _as_verified(self, question: Question) -> Found | None:
        return self._tried(question, question.verified) if question.verified else None

    def _as_written(self, question: Question) -> Found | None:
        """Has the language model write the SQL, and correct it once."""
        if self._model is None:
            return None
        until = min(question.until - RESERVE_SECONDS, monotonic() + self._model.seconds)
        tables = self._known(question).profile.tables
        turns = llm_sql.opening(
            question.ask.query, tables, question.today, with_values=self._model.sees_values
        )
        try:
            for _ in range(2):
                answer = self._model.writer.complete(
                    turns, llm_sql.ANSWER_SCHEMA, max(0.1, until - monotonic())
                )
                reading = llm_sql.read(answer)
                try:
                    return self._ran(question, reading)
                except SqlFailed as mistake:
                    turns += llm_sql.correction(answer, self._mistake(question, reading, mistake))
                if monotonic() > until:
                    break
        except (WritingFailed, QueryFailed) as failure:
            if isinstance(failure, TimedOut) and question.left <= 0:
                raise told(failure, "", self._limits.query_seconds) from None
            logger().info("queries.model_failed", why=str(failure))
        return None

    def _mistake(self, question: Question, reading: Reading, mistake: SqlFailed) -> str:
        """Tells the model what is wrong; what rows bring about may show values, so only if it may.

        A mistake that is there without any row shows none.
        """
        if self._model is None or self._model.sees_values:
            return mistake.message
        try:
            self._run(question, f"SELECT * FROM (\n{reading.sql}\n) LIMIT 0", 1)  # noqa: S608
        except SqlFailed as without_rows:
            return without_rows.message
        return llm_sql.FAILS_ON_ROWS

    def _as_parsed(self, question: Question) -> Found:
        from modelwright.engines.language.rules.answering import questions  # noqa: PLC0415 - heavy

        try:
            with self._turns.turn(question.session.account_id, question.is_over) as has_one:
                if not has_one:
                    raise too_many_read(self._limits.query_seconds)
                reader = self._known(question).reader
                parsed = reader.read(question.ask.query, question.today, question.is_over)
        except questions.TooLong:
            raise overlong(self._limits.query_seconds) from None
        if isinstance(parsed, questions.NotUnderstood):
            raise QuestionNotUnderstood(parsed.sentence, parsed.suggestions)
        reading = Reading(parsed.sql, parsed.interpretation, _picture(parsed.chart, parsed.plan))
        found = self._tried(question, reading)
        if found is None:
            logger().warning("queries.parsed_sql_failed", sql=reading.sql)
            raise QuestionNotUnderstood("It was read as SQL that cannot be run.", ())
        return found

    def _known(self, question: Question) -> Known:
        session = question.session
        tables = [one.table for one in session.tables]
        try:
            return self._known_tables.get(
                session.upload_id,
                lambda: study(partial(self._run, question), tables, question.left / 2),
            )
        except QueryFailed as failure:
            raise told(failure, "", self._limits.query_seconds) from failure

    def _tried(self, question: Question, reading: Reading) -> Found | None:
        """Carries out SQL that nobody typed: a mistake in it is not the caller's."""
        try:
            return self._ran(question, reading)
        except SqlFailed:
            return None
        except QueryFailed as failure:
            raise self._told(failure, reading) from failure

    def _carried_out(self, question: Question, reading: Reading) -> Found:
        try:
            return self._ran(question, reading)
        except QueryFailed as failure:
            raise self._told(failure, reading) from failure

    def _ran(self, question: Question, reading: Reading) -> Found:
        usual = MOST_POINTS if reading.picture else self._limits.query_rows
        rows = self._run(question, reading.sql, question.ask.max_results or usual)
        chart = draw(reading.picture, rows.columns, rows.rows) if reading.picture else None
        return Found(reading, rows, chart)

    def _run(self, question: Question, sql: str, most: int) -> Rows:
        return self._sessions.run(
            question.session,
            sql,
            max_rows=most,
            seconds=max(0.0, question.left),
            cancelled=question.cancelled,
        )

    def _told(self, failure: QueryFailed, reading: Reading) -> Refusal:
        return told(failure, reading.sql, self._limits.query_seconds)


def _picture(chart: "Asked | None", plan: dict[str, Any]) -> Picture | None:
    """Takes over the parser's chart, with the width of its ranges."""
    if chart is None:
        return None
    buckets = plan.get("group") or [{}]
    width = buckets[0].get("width")
    return Picture(ChartType(chart.type), chart.label, chart.values, _title(chart.title), width)


def _title(sentence: str) -> str:
    """Makes a heading of a sentence: what is shown, not how it is sorted."""
    shown = sentence.split(", sorted by", 1)[0].removeprefix("The ").rstrip(".")
    return shown[:1].upper() + shown[1:]
