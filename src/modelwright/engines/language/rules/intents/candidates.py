"""The columns that an intent may mean though no word of it names one, the likeliest first."""

from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.headings import units_of
from modelwright.engines.language.rules.columns.linking import Name, Phrase
from modelwright.engines.language.rules.intents.only import is_outcome
from modelwright.engines.language.rules.intents.shapes import asks_which_or_whether, fitness
from modelwright.engines.language.rules.text.targets import identifies
from modelwright.engines.language.rules.text.words import fold

_PAIR, _MOST_CLASSES = 2, 20
_SUITS, _LAST, _OUTCOME, _NUMBER = 2.0, 0.15, 0.15, 0.35
"""What a form that suits, the last place and an outcome's name add and a number unasked for takes
off, where words that all mean the column add 1. Set by hand near what fits the tuning tables."""


def likeliest_first(
    intent: str, said: Phrase, columns: Sequence[ColumnFacts], names: Sequence[Name]
) -> list[ColumnFacts]:
    """Orders the columns by the words `said`, the form of answer asked for, name and place.

    Keys, dates, constants and texts of many values come after all others.
    """
    text, last = fold(intent), len(columns) - 1
    unasked = _NUMBER * asks_which_or_whether(text)
    likely = [
        said.coverage(name)[1]
        + _SUITS * fitness(text, column, units_of(name), told=False)
        + _LAST * (at == last)
        + _OUTCOME * is_outcome(name)
        - unasked * _is_number(column)
        for at, (column, name) in enumerate(zip(columns, names, strict=True))
    ]
    order = sorted(range(last + 1), key=lambda at: (_unlearnt(columns[at]), -likely[at]))
    return [columns[at] for at in order]


def _is_number(column: ColumnFacts) -> bool:
    return column.type in {"integer", "float"} and column.distinct > _PAIR


def _unlearnt(column: ColumnFacts) -> bool:
    many = column.type == "string" and column.distinct > _MOST_CLASSES
    return many or column.type == "date" or column.distinct < _PAIR or identifies(column)
