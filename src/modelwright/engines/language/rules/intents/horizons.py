"""How far ahead an intent looks, and how far names of columns do: `next two weeks`, `back_14d`.

A column that tells what comes within fourteen days holds no forecast of ninety.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.vocabulary import word_values

_DAYS: Mapping[str, float] = {"hour": 1 / 24, **word_values("units.calendar")}
"""How many days a unit has."""
_SAID = re.compile(
    rf"(?:\b(?P<count>\d+|{'|'.join(SPELLED)}) )?\b(?P<unit>{'|'.join(_DAYS)})s?\b"
    r"|\b(?P<short>\d+) ?(?P<letter>[hdwmy])\b|\b(?P<tomorrow>tomorrow)\b"
)
_NEAR = 0.1
"""How much of a span two may differ that are the same: a month and 30 days."""


def looks_as_far(intent: str, name: str) -> bool:
    """Says whether an intent and the words of a column's name tell of the same span of days."""
    said = _spans(intent)
    return any(abs(one - held) <= _NEAR * held for held in _spans(name) for one in said)


@lru_cache(maxsize=256)
def _spans(text: str) -> frozenset[float]:
    return frozenset(map(_span, _SAID.finditer(text)))


def _span(found: re.Match[str]) -> float:
    if found["tomorrow"]:
        return 1.0
    if found["short"]:
        unit = next(unit for unit in _DAYS if unit.startswith(found["letter"]))
        return int(found["short"]) * _DAYS[unit]
    count = found["count"] or "one"
    return (int(count) if count.isdigit() else SPELLED[count]) * _DAYS[found["unit"]]
