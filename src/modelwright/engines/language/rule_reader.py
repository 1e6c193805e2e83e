"""The built-in rules as one reader among others: deterministic, without a model."""

from collections.abc import Mapping, Sequence

from modelwright.engines.facts import Value
from modelwright.engines.language.readers import Candidate, Cannot, ChartWish, Outcome, ReadRequest
from modelwright.engines.language.rules.answering.following import FOLLOWS, UNTOLD
from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood
from modelwright.engines.language.rules.answering.questions import Reader as Rules
from modelwright.engines.language.rules.columns.schema import TableFacts

RULES = "rules"
NOT_ALONE = frozenset({FOLLOWS, UNTOLD})
"""What has no answer by itself, whoever reads it: a model that is asked would only guess."""


class RuleReader:
    """Reads questions of one session's tables by rules; the tables are indexed once."""

    name = RULES

    def __init__(
        self,
        tables: Sequence[TableFacts],
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
    ) -> None:
        self._rules = Rules(tables, values)

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads one question.

        Args:
            request: The question; of its tables only those that the reader was made with are read.

        Returns:
            One candidate, or why there is none.

        Raises:
            TooLong: The reading was stopped.
        """
        read = self._rules.read(request.question, request.today, request.stopped)
        if isinstance(read, NotUnderstood):
            is_judged = read.sentence in NOT_ALONE
            return [Cannot(RULES, read.sentence, read.suggestions, not_understood=not is_judged)]
        return [_candidate(read)]


def _candidate(read: Answerable) -> Candidate:
    chart = None
    if read.chart is not None:
        width = (read.plan.get("group") or [{}])[0].get("width")
        told = read.chart
        chart = ChartWish(told.type, told.label, told.values, told.title, width)
    return Candidate(
        read.sql,
        RULES,
        read.interpretation,
        read.confidence,
        ignored_words=read.ignored,
        chart=chart,
    )
