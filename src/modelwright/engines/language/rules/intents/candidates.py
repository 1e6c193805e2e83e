"""The columns that an intent may mean though no word of it names one, the likeliest first."""

from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import Name, Phrase
from modelwright.engines.language.rules.columns.name_terms import units_of
from modelwright.engines.language.rules.intents.only import is_outcome
from modelwright.engines.language.rules.intents.shapes import asks_which_or_whether, fitness
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES
from modelwright.engines.language.rules.text.targets import identifies
from modelwright.engines.language.rules.text.words import fold

_MOST_KINDS = 20
"""Texts of more values are seldom what is predicted."""
_SUITING_FORM = 2.0
"""What a form that suits adds, where words that all mean the column add 1.

These four were set by hand near what fits the tuning tables.
"""
_LAST_PLACE = 0.15
"""What the last place in a table adds: targets often stand there."""
_OUTCOME_NAME = 0.15
"""What the name of an outcome adds."""
_UNASKED_NUMBER = 0.35
"""What a number takes off where a kind or a yes is asked for."""


def likeliest_first(
    intent: str, said: Phrase, columns: Sequence[ColumnFacts], names: Sequence[Name]
) -> list[ColumnFacts]:
    """Orders the columns by the words `said`, the form of answer asked for, name and place.

    Keys, dates, constants and texts of many values come after all others.
    """
    text, last = fold(intent), len(columns) - 1
    unasked = _UNASKED_NUMBER * asks_which_or_whether(text)
    likely = [
        said.coverage(name)[1]
        + _SUITING_FORM * fitness(text, column, units_of(name), told=False)
        + _LAST_PLACE * (at == last)
        + _OUTCOME_NAME * is_outcome(name)
        - unasked * _is_number(column)
        for at, (column, name) in enumerate(zip(columns, names, strict=True))
    ]
    order = sorted(range(last + 1), key=lambda at: (_unlearnt(columns[at]), -likely[at]))
    return [columns[at] for at in order]


def _is_number(column: ColumnFacts) -> bool:
    return column.type in {"integer", "float"} and column.distinct > BINARY_VALUES


def _unlearnt(column: ColumnFacts) -> bool:
    many = column.type == "string" and column.distinct > _MOST_KINDS
    return many or column.type == "date" or column.distinct < BINARY_VALUES or identifies(column)
