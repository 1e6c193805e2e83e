"""What each column adds along the one path a row takes through every tree: quick for any forest.

A split's column is given the change of the mean of the rows that pass it (Saabas 2014). The parts
are exactly additive as Shapley values are, but splits near the leaves weigh more. Only numpy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modelwright_runtime.columns import Features
from modelwright_runtime.forest import Forest, Ints
from modelwright_runtime.objective import Floats


@dataclass(frozen=True, slots=True)
class PathAttribution:
    """A forest with the mean of what the training rows in each node get, shape (nodes, width)."""

    forest: Forest
    owners: Ints
    means: Floats
    start: Floats
    """The mean output of the forest, shape (outputs,)."""

    @classmethod
    def of(cls, forest: Forest, owners: Sequence[int], outputs: int) -> "PathAttribution":
        """Takes the means; `owners` gives the column of each feature.

        Args:
            forest: The trees.
            owners: The column of each feature.
            outputs: How many outputs the forest has.

        Returns:
            The forest with the mean of each node.
        """
        means = _means(forest)
        start = np.zeros(outputs)
        roots = means[forest.roots]
        if means.shape[1] > 1:
            start += roots.sum(axis=0)
        else:
            np.add.at(start, forest.targets, roots[:, 0])
        return cls(forest, np.asarray(owners, dtype=np.int64), means, start)

    def contributions(self, features: Features, columns: int) -> Floats:
        """Returns what each column adds for encoded rows, shape (n, columns, outputs).

        Args:
            features: Encoded rows, shape (n, features).
            columns: How many columns there are.

        Returns:
            Contributions, float64.
        """
        forest, rows = self.forest, features.astype(np.float64)
        trees, outputs = len(forest.roots), len(self.start)
        found = np.zeros(len(rows) * columns * outputs)
        at, targets = np.tile(forest.roots, len(rows)), np.tile(forest.targets, len(rows))
        row = np.repeat(np.arange(len(rows)), trees)
        while len(at):
            feature = forest.feature[at]
            value = rows[row, feature]
            goes = np.where(np.isnan(value), forest.missing[at], value <= forest.threshold[at])
            after = np.where(goes, forest.yes[at], forest.no[at])
            moved = _at(forest, self.means, after) - self.means[at]
            place = (row * columns + self.owners[feature]) * outputs
            for output in range(moved.shape[1]):
                where = place + (output if moved.shape[1] > 1 else targets)
                found += np.bincount(where, moved[:, output], len(found))
            inner = after >= 0
            at, targets, row = after[inner], targets[inner], row[inner]
        return found.reshape(len(rows), columns, outputs)


def _at(forest: Forest, means: Floats, children: Ints) -> Floats:
    """Returns the means behind raw predictions: those of a node or the values of a leaf."""
    leaf = children < 0
    found = means[np.where(leaf, 0, children)]
    found[leaf] = forest.values[~children[leaf]]
    return found


def _means(forest: Forest) -> Floats:
    means = np.zeros((len(forest.feature), forest.values.shape[1]))
    levels, at = [], forest.roots
    while len(at):
        levels.append(at)
        children = np.concatenate([forest.yes[at], forest.no[at]])
        at = children[children >= 0]
    for level in reversed(levels):
        yes, no = forest.yes[level], forest.no[level]
        first, second = _covers(forest, yes), _covers(forest, no)
        total = first + second
        share = np.where(total > 0, first / np.maximum(total, 1e-12), 0.5)[:, None]
        means[level] = _at(forest, means, yes) * share + _at(forest, means, no) * (1 - share)
    return means


def _covers(forest: Forest, children: Ints) -> Floats:
    leaf = children < 0
    return np.where(
        leaf,
        forest.leaf_cover[np.where(leaf, ~children, 0)],
        forest.cover[np.where(leaf, 0, children)],
    )
