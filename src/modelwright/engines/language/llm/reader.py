"""`ModelReader`: has a language model write SQL for a question, or draw some where it is not sure.

What the engine refuses is drawn anew where the model draws samples, and corrected once elsewhere.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

import msgspec

from modelwright.engines.chart_spec import ChartSpec, ChartType
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.llm import prompt
from modelwright.engines.language.llm.completion import (
    Completer,
    Completion,
    CompletionFailed,
    CompletionRequest,
    Constraint,
    Turn,
)
from modelwright.engines.language.llm.grammar import grammar_of
from modelwright.engines.language.llm.names import UnreadableSql, restored
from modelwright.engines.language.llm.schema_view import SchemaView, view_of
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    Failed,
    Outcome,
    ReadRequest,
)
from modelwright.engines.language.rules.columns.schema import TableFacts

LEAST_SAMPLING_SECONDS = 3.0
"""Samples are not begun in less time than a short statement takes on busy cores."""
LONGEST_SENTENCE_CHARS = 500
"""Longer interpretations and titles are cut."""
LONGEST_SQL_CHARS = 20_000
"""Longer statements are taken for a model that repeats itself."""
CANNOT = "CANNOT"
CANNOT_RUN = "It wrote SQL that cannot be run: "
ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["sql", "interpretation", "chart"],
    "properties": {
        "sql": {"type": ["string", "null"]},
        "interpretation": {"type": "string"},
        "chart": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["type", "label", "values", "title"],
            "properties": {
                "type": {"type": "string", "enum": [kind.value for kind in ChartType]},
                "label": {"type": "string"},
                "values": {"type": "array", "items": {"type": "string"}},
                "title": {"type": "string"},
            },
        },
    },
}


class _Chart(msgspec.Struct):
    type: ChartType
    label: str
    values: list[str]
    title: str


class _Answer(msgspec.Struct):
    sql: str | None
    interpretation: str = ""
    chart: _Chart | None = None


class ModelReader:
    """Reads questions by a language model; safe to be called by many threads at once."""

    def __init__(self, completer: Completer, seconds: float = float("inf")) -> None:
        """Makes a reader of a model.

        Args:
            completer: The model.
            seconds: How long it may take over one question.
        """
        self._completer = completer
        self._seconds = seconds

    @property
    def name(self) -> str:
        """Returns the model's name."""
        return self._completer.name

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question by its deadline; see `readers.Reader`."""
        until = min(request.deadline, monotonic() + self._seconds)
        reading = _Reading(self._completer, request, until)
        try:
            return reading.sampled() if request.sampled else reading.outcomes()
        except CompletionFailed as failure:
            return [] if request.sampled else [Failed(self.name, str(failure))]

    def opening(self, tables: Sequence[TableFacts], catalog: Catalog) -> Turn:
        """Returns the turn that all questions about some tables share."""
        return _opening(self._completer, view_of(tables, catalog))


def _opening(completer: Completer, view: SchemaView) -> Turn:
    return prompt.opening(view, with_values=completer.sees_values, as_json=completer.answers_json)


class _Reading:
    """One question being read."""

    def __init__(self, completer: Completer, request: ReadRequest, until: float) -> None:
        self._completer = completer
        self._until = until
        self._request = request
        self._view = view_of(request.tables, request.catalog)
        self._turns = [
            _opening(completer, self._view),
            prompt.asking(request, self._view, with_values=completer.sees_values),
        ]
        self._constraint = (
            Constraint(json_schema=ANSWER_SCHEMA)
            if completer.answers_json
            else Constraint(grammar=grammar_of(self._view))
        )

    def outcomes(self) -> Sequence[Outcome]:
        """Asks the model, and in another way after a mistake that the engine told.

        A small model that is told its mistake writes the same again; a sample of it does not.
        """
        completion = self._ask()
        outcome, mistake = self._judged(completion)
        if not mistake:
            return [outcome]
        drawn = self.sampled()
        if any(isinstance(one, Candidate) for one in drawn):
            return drawn
        if drawn:
            return [Failed(self._completer.name, CANNOT_RUN + mistake), *drawn]
        return [self._corrected(completion, mistake)]

    def _corrected(self, completion: Completion, mistake: str) -> Outcome:
        self._turns += prompt.correcting(
            completion.text, mistake, as_json=self._completer.answers_json
        )
        outcome, mistake = self._judged(self._ask())
        return Failed(self._completer.name, CANNOT_RUN + mistake) if mistake else outcome

    def sampled(self) -> Sequence[Outcome]:
        """Draws samples; those that say the same are told as one, the most frequent first."""
        seconds = self._until - monotonic()
        if seconds < LEAST_SAMPLING_SECONDS or self._request.stopped():
            return []
        drawn = self._completer.sample(self._asked(seconds))
        judged = [self._judged(one)[0] for one in drawn]
        times = Counter(_said(one) for one in judged)
        first = {_said(one): one for one in reversed(judged)}
        return [_as_sample(first[said], many) for said, many in times.most_common()]

    def _ask(self) -> Completion:
        seconds = self._until - monotonic()
        if seconds <= 0 or self._request.stopped():
            raise CompletionFailed("There was no time left.")
        return self._completer.complete(self._asked(seconds))

    def _asked(self, seconds: float) -> CompletionRequest:
        stopped, owner = self._request.stopped, self._request.data_id
        return CompletionRequest(self._turns, self._constraint, seconds, stopped, owner)

    def _judged(self, completion: Completion) -> tuple[Outcome, str]:
        """Reads an answer: what came of it, and the mistake that it may mend."""
        name = self._completer.name
        answer = self._parsed(completion)
        sentence = " ".join(answer.interpretation.split())[:LONGEST_SENTENCE_CHARS]
        sql = (answer.sql or "").strip().rstrip(";").strip()
        if not sql:
            why = sentence or "The tables have nothing that the question asks about."
            return Cannot(name, why), ""
        nothing = Failed(name, "It wrote no SQL that can be run.")
        if completion.is_cut or len(sql) > LONGEST_SQL_CHARS:
            return Failed(name, "It wrote without an end."), ""
        try:
            sql = restored(sql, self._view, self._request.links.values)
        except UnreadableSql as fault:
            return nothing, str(fault)
        try_sql, sees_values = self._request.try_sql, self._completer.sees_values
        if try_sql is not None and (mistake := try_sql(sql, sees_values)):
            return nothing, mistake
        lowest = min((token.logprob for token in completion.tokens), default=None)
        return Candidate(sql, name, sentence, min_logprob=lowest, chart=_chart(answer.chart)), ""

    def _parsed(self, completion: Completion) -> _Answer:
        text = completion.text
        if not self._completer.answers_json:
            is_refusal = text.strip().upper().startswith(CANNOT)
            return _Answer(None if is_refusal else text)
        try:
            return msgspec.json.decode(_braced(text), type=_Answer)
        except (msgspec.DecodeError, UnicodeEncodeError) as fault:
            raise CompletionFailed("Its answer is not the JSON that was asked for.") from fault


def _said(outcome: Outcome) -> str:
    """What samples are counted by: their statement, or that there is none."""
    return outcome.sql if isinstance(outcome, Candidate) else type(outcome).__name__


def _as_sample(outcome: Outcome, many: int) -> Outcome:
    """Counts a sample; that one refuses is a doubt and no judgement."""
    if isinstance(outcome, Cannot):
        return replace(outcome, not_understood=True, samples=many)
    return replace(outcome, samples=many)


def _chart(chart: _Chart | None) -> ChartSpec | None:
    if chart is None:
        return None
    title = chart.title[:LONGEST_SENTENCE_CHARS]
    return ChartSpec(chart.type, chart.label, tuple(chart.values), title)


def _braced(answer: str) -> str:
    return answer[max(0, answer.find("{")) : answer.rfind("}") + 1]
