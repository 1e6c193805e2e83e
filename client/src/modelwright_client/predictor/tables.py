"""Trees that test few things as tables: batches go through them several times as quick.

A tree of at most eight different tests, as the symmetric ones of CatBoost, is a table of what its
leaves give by the tests' answers, one bit each. A column of rows is tested in one go, every test
once for all trees that share it. What is added up is the same, in another order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_client.predictor.forest import Forest, Ints, only, owners
from modelwright_client.predictor.goals import Floats

MOST = 8
"""Different tests of a tree at most: so many bits number the places of a table."""
CELLS = 1 << 17
"""Rows times trees that are looked up at a time, so that they stay in the processor's cache."""
Test = tuple[int, float, bool]
"""The slot, the threshold that its value is at most, and whether NaN passes."""


@dataclass(frozen=True, slots=True)
class Group:
    """Trees of as many tests each that add to the same output."""

    tests: Ints
    """The places of the tests that each tree asks, shape (trees, tests)."""
    values: Floats
    """What each tree gives by the answers, the first the highest bit, (trees * 2 ** tests,)."""
    target: int


@dataclass(frozen=True, slots=True)
class Tables:
    """Many trees, and the tests that they share."""

    tests: Sequence[Test]
    groups: Sequence[Group]

    def add(self, slots: Floats, link: Floats) -> None:
        """Adds what the trees give for rows (n, slots) to their links (n, width)."""
        columns = np.ascontiguousarray(slots.T)
        passed = np.stack([_passed(columns[test[0]], *test[1:]) for test in self.tests])
        step = max(1, CELLS // len(slots))
        for group in self.groups:
            trees, tests = group.tests.shape
            for first in range(0, trees, step):
                asked = group.tests[first : first + step].T
                place = passed[asked[0]]
                for test in asked[1:]:
                    place <<= 1
                    place |= passed[test]
                starts = np.arange(first, first + asked.shape[1])[:, None] << tests
                link[:, group.target] += group.values.take(place + starts).sum(axis=0)


def _passed(column: Floats, at_most: float, gaps: bool) -> Any:
    found = column <= at_most
    if gaps:
        found |= np.isnan(column)
    return found.view(np.uint8)


def tabled(forest: Forest) -> tuple[Tables, Forest | None]:
    """Makes tables of the trees that can be, and gives the forest of the others, if there are."""
    nodes, _ = owners(forest)
    tests, which = _tests(forest)
    pairs = np.unique(nodes * len(tests) + which)
    ends = np.searchsorted(pairs, np.arange(1, len(forest.roots)) * len(tests))
    alike: dict[tuple[int, int], list[tuple[Ints, Floats]]] = {}
    left = np.ones(len(forest.roots), dtype=bool)
    for tree, asked in enumerate(np.split(pairs % len(tests), ends)):
        if len(asked) <= MOST:
            values = _table(forest, tree, which, asked)
            alike.setdefault((len(asked), int(forest.targets[tree])), []).append((asked, values))
            left[tree] = False
    return _grouped(tests, alike), only(forest, left) if left.any() else None


def _tests(forest: Forest) -> tuple[Floats, Ints]:
    """Gives the different tests, each a slot, a threshold and a flag, and each node's number."""
    thresholds, rank = np.unique(forest.threshold, return_inverse=True)
    numbers = (forest.feature * len(thresholds) + rank) * 2 + forest.missing
    kinds, which = np.unique(numbers, return_inverse=True)
    slots, at_most = np.divmod(kinds // 2, len(thresholds))
    return np.stack([slots, thresholds[at_most], kinds % 2], axis=1), which


def _grouped(
    tests: Floats, alike: Mapping[tuple[int, int], Sequence[tuple[Ints, Floats]]]
) -> Tables:
    """Puts trees together, with the tests that any of them asks."""
    asked = [np.stack([one for one, _ in trees]) for trees in alike.values()]
    used = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *map(np.ravel, asked)]))
    told = [(int(slot), float(at_most), bool(gaps)) for slot, at_most, gaps in tests[used]]
    groups = [
        Group(np.searchsorted(used, one), np.concatenate([values for _, values in trees]), target)
        for one, ((_, target), trees) in zip(asked, alike.items(), strict=True)
    ]
    return Tables(told, groups)


def _table(forest: Forest, tree: int, which: Ints, asked: Ints) -> Floats:
    """Walks a tree with every way in which its tests may be answered."""
    places = np.arange(1 << len(asked))
    at = np.full(len(places), forest.roots[tree])
    while (inner := np.flatnonzero(at >= 0)).size:
        node = at[inner]
        bit = len(asked) - 1 - np.searchsorted(asked, which[node])
        at[inner] = np.where(places[inner] >> bit & 1, forest.yes[node], forest.no[node])
    return np.asarray(forest.values[~at, 0])
