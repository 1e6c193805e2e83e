"""Trees of few leaves as tables: batches go through them several times as quick as by walking.

The number of the leaf that a row reaches is made of bits, and each bit is kept for 64 rows in a
word, so that one operation takes 64 rows a step through a tree. Every test is made once for all
trees that share it. A tree of at most eight different tests, as the symmetric ones of CatBoost, is
numbered by their answers; of another it is found from the root on which rows each node has. What is
added up is the same, in another order.

Source: Ye et al. 2018, "RapidScorer", for rows beside each other in the bits of a word.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.forest import Ints
from modelwright_runtime.objective import Floats

MAX_BITS = 8
"""Bits at most, as a byte is read at a time."""
CHUNK_ROWS = 2560
"""Rows that are taken at a time, so that they stay in the processor's cache."""
WORD_BITS = 64
"""Rows of a word."""
FEW_TESTS = 32
"""So many tests of a feature are made one by one; more by where the value stands among them."""
Bits = NDArray[np.uint64]
"""A bit for each row, shape (…, rows / 64)."""
_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
SPREAD = [_BYTES.view(np.uint64)[:, 0] << np.uint64(bit) for bit in range(MAX_BITS)]
"""The bits of a byte as eight bytes, by the place that they have in these, each (256,)."""


@dataclass(frozen=True, slots=True)
class FeatureTests:
    """The tests of a feature: whether it is at most each of the thresholds, which ascend."""

    feature: int
    gaps: bool
    """Whether NaN passes."""
    thresholds: Floats
    first: int
    """The number of the first test; the others follow it."""

    def make(self, values: Floats, passed: Bits) -> None:
        """Fills in which values (n,) pass, `passed` (tests of all features, words) being empty.

        Args:
            values: Values of the feature, shape (n,), NaN where missing.
            passed: A bit for each test and row, shape (tests of all features, words of 64 rows).
        """
        own = passed[self.first : self.first + len(self.thresholds)]
        if len(own) <= FEW_TESTS:
            answers = (values <= self.thresholds[:, None]) | (self.gaps & np.isnan(values))
            packed = np.packbits(answers, axis=1, bitorder="little")
            own.view(np.uint8)[:, : packed.shape[1]] = packed
            return
        least = self.thresholds.searchsorted(values)
        if self.gaps:
            least[np.isnan(values)] = 0
        some = np.flatnonzero(least < len(self.thresholds))
        octets = own.view(np.uint8)
        at = least[some] * octets.shape[1] + (some >> 3)
        np.add.at(octets.reshape(-1), at, (1 << (some & 7)).astype(np.uint8))
        np.bitwise_or.accumulate(own, axis=0, out=own)


@dataclass(frozen=True, slots=True)
class TreeLevel:
    """The inner nodes of trees that are as far from the roots, and the tests that they ask.

    Nodes are numbered from the roots on; those below follow from `first` on, by yes and then by no.
    """

    nodes: Ints
    tests: Ints
    first: int


@dataclass(frozen=True, slots=True)
class LevelWalk:
    """Trees that are gone through level by level.

    `leaves` (2 ** bits, trees) are their nodes; the last of all nodes, `nodes` in number, stands
    for one that there is not.
    """

    levels: Sequence[TreeLevel]
    leaves: Ints
    nodes: int


@dataclass(frozen=True, slots=True)
class Group:
    """Trees whose leaves are numbered by as many bits and add to the same output."""

    tests: Ints | LevelWalk
    """The tests whose answers are the bits, the highest first, (bits, trees), or a way to them."""
    values: Floats
    """What each tree gives, by its leaf's number, (trees, 2 ** bits)."""
    target: int

    def sums(self, passed: Bits) -> Floats:
        """Adds up what the trees give to rows by the tests that they pass, (tests, words).

        Args:
            passed: A bit for each test and row, shape (tests of all features, words of 64 rows).

        Returns:
            Sums of the leaves that rows reach, shape (64 rows a word,).
        """
        planes = (
            _planes(self.tests, passed)
            if isinstance(self.tests, LevelWalk)
            else (passed.take(tests, axis=0) for tests in self.tests)
        )
        trees, leaves = self.values.shape
        numbers = np.zeros((trees, passed.shape[1] * 8), dtype=np.uint64)
        for bit, plane in enumerate(planes, 1):
            numbers |= SPREAD[leaves.bit_length() - 1 - bit].take(plane.view(np.uint8))
        at = numbers.view(np.uint8) + np.arange(0, trees * leaves, leaves)[:, None]
        return np.asarray(self.values.take(at).sum(axis=0))


def _planes(walk: LevelWalk, passed: Bits) -> Iterable[Bits]:
    """Returns the bits of the numbers of the leaves, the highest first, each (trees, words)."""
    reached = np.empty((walk.nodes, passed.shape[1]), dtype=np.uint64)
    reached[: walk.leaves.shape[1]] = ~np.uint64(0)
    reached[-1] = 0
    for level in walk.levels:
        count, first = len(level.nodes), level.first
        yes, no = reached[first : first + count], reached[first + count : first + 2 * count]
        above = reached.take(level.nodes, axis=0)
        np.bitwise_and(above, passed.take(level.tests, axis=0), out=yes)
        np.bitwise_xor(above, yes, out=no)
    leaves = reached.take(walk.leaves, axis=0)
    while half := len(leaves) >> 1:
        yield np.bitwise_or.reduce(leaves[half:], axis=0)
        leaves = leaves[:half] | leaves[half:]


@dataclass(frozen=True, slots=True)
class BitslicedForest:
    """Many trees, and the tests that they share."""

    tests: Sequence[FeatureTests]
    groups: Sequence[Group]

    @property
    def test_count(self) -> int:
        """The number of different tests."""
        return sum(len(one.thresholds) for one in self.tests)

    def add(self, features: Floats, raw_prediction: Floats) -> None:
        """Adds what the trees give for rows (n, features) to their raw predictions (n, width).

        Args:
            features: Encoded rows, shape (n, features).
            raw_prediction: What is added to, shape (n, width).
        """
        for first in range(0, len(features), CHUNK_ROWS):
            own = slice(first, first + CHUNK_ROWS)
            columns = np.ascontiguousarray(features[own].T)
            rows = columns.shape[1]
            passed = np.zeros((self.test_count, -(-rows // WORD_BITS)), dtype=np.uint64)
            for one in self.tests:
                one.make(columns[one.feature], passed)
            for group in self.groups:
                raw_prediction[own, group.target] += group.sums(passed)[:rows]
