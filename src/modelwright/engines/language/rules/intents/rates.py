"""Rates of one column by another that an intent asks for, and that no column holds.

`Wage per sea year` with a column of wages and one of years at sea is neither: predicted would be
the wage alone.
"""

import re
from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.name_terms import column_names
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import group, identifies
from modelwright.engines.language.rules.text.words import fold, name_parts, words

_PER = re.compile(
    r"^(?:(?:predict|estimate|model|forecast) )?(?:the )?(?P<over>[^,]+?) per (?P<under>[^,]+?)\W*$"
)
_OF_RATES = frozenset(map(root, ("per", "rate", "ratio", "unit", "avg", "average", "mean")))
_UNITS_OF_TIME = frozenset(map(root, ("minute", "hour", "day", "week", "month", "year")))
"""How often something is told, which rows are of: `fare per hour`."""
_MOST_UNDER = 3
"""More words after `per` say more than by what is counted."""


def is_rate_of_two(intent: str, columns: Sequence[ColumnFacts]) -> bool:
    """Returns whether nothing is asked for but a number of one column by one of another.

    A column whose name holds words of both, or says that it is a rate, is what is asked for.
    """
    asked = _PER.match(fold(intent).strip())
    if asked is None:
        return False
    over, under = (_told_roots(asked[side]) for side in ("over", "under"))
    if not over or not under or under <= _UNITS_OF_TIME or len(under) > _MOST_UNDER:
        return False
    named = [
        (column, _name_roots(column) | {one.stem for one in name.terms})
        for name, column in zip(column_names(columns), columns, strict=True)
    ]
    if any(_OF_RATES & roots and over & roots for _, roots in named):
        return False
    amounts = [roots for column, roots in named if _is_amount(column)]
    tops = [roots for roots in amounts if over & roots]
    bottoms = [roots for roots in amounts if under <= roots]
    return bool(tops and bottoms) and not any(roots in tops for roots in bottoms)


def _told_roots(text: str) -> set[str]:
    return {root(word.text) for word in words(text)} - group("vague")


def _name_roots(column: ColumnFacts) -> set[str]:
    return {root(part) for part in name_parts(column.name)}


def _is_amount(column: ColumnFacts) -> bool:
    is_number = column.type in {"integer", "float"} and column.distinct > BINARY_VALUES
    return is_number and not identifies(column)
