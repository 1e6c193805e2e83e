"""A language model behind an endpoint as one reader among others."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from modelwright.core.logging import logger
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    ChartWish,
    Failed,
    Outcome,
    ReadRequest,
)
from modelwright.queries import llm_sql
from modelwright.queries.domain import Reading
from modelwright.queries.llm_sql import Turn, Writer, WritingFailed

TRIES = 2
"""How often it may write the SQL of a question: once, and once corrected."""
LEAST_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class EndpointReader:
    """Has a language model write the SQL, and correct it once."""

    writer: Writer
    seconds: float
    sees_values: bool
    name: str = "language model"

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question; see `Reader`."""
        until = min(request.deadline, monotonic() + self.seconds)
        turns = llm_sql.opening(
            request.question, request.tables, request.today, with_values=self.sees_values
        )
        try:
            return [self._written(request, turns, until)]
        except WritingFailed as failure:
            logger().info("queries.model_failed", why=str(failure))
            return [Failed(self.name, str(failure))]

    def _written(self, request: ReadRequest, turns: list[Turn], until: float) -> Outcome:
        mistake: str | None = None
        for _ in range(TRIES):
            left = max(LEAST_SECONDS, until - monotonic())
            answer = self.writer.complete(turns, llm_sql.ANSWER_SCHEMA, left)
            declined = llm_sql.declined(answer)
            if declined is not None:
                return Cannot(self.name, declined)
            reading = llm_sql.read(answer)
            mistake = request.try_sql(reading.sql) if request.try_sql else None
            if mistake is None:
                return self._candidate(reading)
            turns += llm_sql.correction(answer, mistake)
            if monotonic() > until:
                break
        return Failed(self.name, "It wrote SQL that cannot be run.")

    def _candidate(self, reading: Reading) -> Candidate:
        chart, told = None, reading.picture
        if told is not None:
            chart = ChartWish(told.type.value, told.label, told.values, told.title, told.width)
        return Candidate(reading.sql, self.name, reading.interpretation or "", chart=chart)
