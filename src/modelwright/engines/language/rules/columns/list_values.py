"""Columns whose texts are lists: `Action,Comedy`."""

import re
from collections import Counter
from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts

_BETWEEN = re.compile(r"\s*[,;|]\s*")
_FEWEST_ROWS = 50
"""In a smaller table texts with commas are texts."""
_MOST_PARTS = 60
"""Lists share a few parts: more are words of texts."""
_TIMES_EACH = 3
"""How often each part stands, on average, in the values that are known."""
_LISTS_SHARE = 0.3
"""Which share of the rows must hold more than one part."""
_LISTS_SHARE_SURE = 0.1
"""The same of `pond; shed` beside `pond`, with no comma, which may be one of a text."""


def parts_of(text: str) -> list[str]:
    """The parts of a list."""
    return [part for part in _BETWEEN.split(text.strip()) if part]


def parts_in(facts: ColumnFacts) -> frozenset[str]:
    """The parts of which a column holds lists; none where it holds no lists."""
    if facts.type != "string" or facts.rows < _FEWEST_ROWS or not facts.top:
        return frozenset()
    told = [(parts_of(str(value)), times) for value, times in facts.top]
    parts = Counter(part for one, _ in told for part in one)
    is_sure = all("," not in str(value) for value, _ in facts.top) and _shares_parts(told)
    few = len(parts) <= _MOST_PARTS and (is_sure or parts.total() >= _TIMES_EACH * len(parts))
    in_lists = sum(times for one, times in told if len(one) > 1)
    least = _LISTS_SHARE_SURE if is_sure else _LISTS_SHARE
    many = in_lists >= least * sum(times for _, times in told)
    return frozenset(parts) if few and many else frozenset()


def _shares_parts(told: Sequence[tuple[list[str], int]]) -> bool:
    """Whether a part of a list stands alone elsewhere: `pond; shed` beside `pond`."""
    alone = {one[0] for one, _ in told if len(one) == 1}
    return any(len(one) > 1 and not alone.isdisjoint(one) for one, _ in told)
