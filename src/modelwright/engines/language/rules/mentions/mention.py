"""Runs of words that may name columns, and how they are found by the words they stand on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Column

# Grades of mentions: held against their quality, or against the shares `named` and `explained`.
MAY_NAME = 0.45
"""How good a mention is at least that may name a column, by a part of its name or a likeness."""
NAMED = 0.5
"""How good one is at least that names a column where little else can be meant."""
PARTLY_NAMED = 0.6
"""How good one is at least that says a telling part of a name."""
NEARLY_NAMED = 0.75
"""How good one is at least whose only fault is a slip in spelling."""
SURELY_NAMED = 0.8
"""How good one is at least where nothing else can be meant."""
WHOLLY_NAMED = 0.9
"""How good one is at least that says all of a name but for a small word."""
EXACTLY_NAMED = 0.95
"""How good one is at least that says all of a name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A run of words that may name a column: how much of the name, how much of the words."""

    column: Column
    start: int
    end: int
    named: float
    explained: float

    @property
    def quality(self) -> float:
        """One number for both shares."""
        return 0.65 * self.named + 0.35 * self.explained


class Mentions:
    """All mentions, in one order whichever way they are found."""

    def __init__(self, found: Iterable[Mention]) -> None:
        self._all = tuple(found)
        self._from: dict[int, list[tuple[int, Mention]]] = {}
        self._over: dict[int, list[Mention]] = {}
        self._of: dict[int, list[Mention]] = {}
        for place, one in enumerate(self._all):
            self._from.setdefault(one.start, []).append((place, one))
            self._of.setdefault(one.column.at, []).append(one)
            for at in range(one.start, one.end):
                self._over.setdefault(at, []).append(one)

    def __iter__(self) -> Iterator[Mention]:
        return iter(self._all)

    @property
    def columns(self) -> set[tuple[str, str]]:
        """The columns that are named, each with its table."""
        return {(one.column.table, one.column.facts.name) for one in self._all}

    def over(self, at: int) -> Iterable[Mention]:
        """Those that a word is part of."""
        return self._over.get(at, ())

    def quality_at(self, at: int) -> float:
        """How surely a word is part of what means a column, 0 where it is part of none."""
        return max((one.quality for one in self.over(at)), default=0.0)

    def named_at(self, at: int) -> float:
        """How much of a name is said, at most, by what a word is part of."""
        return max((one.named for one in self.over(at)), default=0.0)

    def starting(self, low: int, high: int) -> Iterable[Mention]:
        """Those that begin at the first of some words or after it, before the other."""
        if high == low + 1:
            return (one for _, one in self._from.get(low, ()))
        found = [pair for at in range(max(0, low), high) for pair in self._from.get(at, ())]
        return (one for _, one in sorted(found, key=lambda pair: pair[0]))

    def of(self, column: int) -> list[Mention]:
        """Those of the column at a place."""
        return self._of.get(column, [])
