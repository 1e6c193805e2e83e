"""Columns whose texts are lists: `Action,Comedy`."""

import re
from collections import Counter

from modelwright.engines.facts import ColumnFacts

_BETWEEN = re.compile(r"\s*[,;|]\s*")
_LEAST, _MOST, _REPEATED, _SHARE = 50, 60, 3, 0.3
"""Lists share a few parts, which stand in several of them each, in a table of some rows."""


def parts_of(text: str) -> list[str]:
    """The parts of a list."""
    return [part for part in _BETWEEN.split(text.strip()) if part]


def parts_in(facts: ColumnFacts) -> frozenset[str]:
    """The parts of which a column holds lists; none where it holds no lists."""
    if facts.type != "string" or facts.rows < _LEAST or not facts.top:
        return frozenset()
    lists = [(parts_of(str(value)), times) for value, times in facts.top]
    parts = Counter(part for told, _ in lists for part in told)
    several = sum(times for told, times in lists if len(told) > 1)
    few = len(parts) <= _MOST and parts.total() >= _REPEATED * len(parts)
    many = several >= _SHARE * sum(times for _, times in lists)
    return frozenset(parts) if few and many else frozenset()
