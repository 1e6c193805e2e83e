"""Columns whose texts are lists: `Action,Comedy`."""

import re
from collections import Counter

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
    lists = [(parts_of(str(value)), times) for value, times in facts.top]
    parts = Counter(part for told, _ in lists for part in told)
    several = sum(times for told, times in lists if len(told) > 1)
    single = {told[0] for told, _ in lists if len(told) == 1}
    sure = all("," not in str(value) for value, _ in facts.top) and any(
        len(told) > 1 and not single.isdisjoint(told) for told, _ in lists
    )
    few = len(parts) <= _MOST_PARTS and (sure or parts.total() >= _TIMES_EACH * len(parts))
    share = _LISTS_SHARE_SURE if sure else _LISTS_SHARE
    many = several >= share * sum(times for _, times in lists)
    return frozenset(parts) if few and many else frozenset()
