"""Exact additive contributions of the columns to a raw prediction. Runs in the API process.

Only numpy.

Trees: path-dependent Shapley values with raw columns as players (Lundberg et al. 2018,
TreeSHAP). A leaf is a product of one factor a column, so its Shapley weights are the integral
over t of products of (t * reached + (1 - t) * share), which Gauss-Legendre quadrature gives
exactly. Forests that average probabilities are carried to the raw prediction by the rescale rule
(Chen et al. 2022).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.columns import Features
from modelwright_runtime.forest import Forest, Ints, trees_of_leaves
from modelwright_runtime.objective import Floats

MIN_WEIGHT = 1e-12
"""Weights below this are none: they are what rounding leaves."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Every leaf of a forest with its path, unfolded.

    `node` and `yes` (leaves, depth) are the splits on the way and the side taken, padded with -1;
    `place` says which of the leaf's columns a split belongs to. `column` and `share` (leaves, most
    columns) are those columns, padded with -1, and the part of the rows that goes the leaf's way.
    """

    node: Ints
    yes: NDArray[np.bool_]
    place: Ints
    column: Ints
    share: Floats


def unfold(forest: Forest, owners: Sequence[int]) -> Paths:
    """Unfolds a forest; `owners` gives the column of each feature.

    Args:
        forest: The trees.
        owners: The column of each feature.

    Returns:
        The paths to all leaves.
    """
    children = np.concatenate([forest.yes, forest.no])
    parent = np.full(len(forest.feature), -1, dtype=np.int64)
    side = np.zeros(len(forest.feature), dtype=bool)
    above = np.full(len(forest.values), -1, dtype=np.int64)
    above_side = np.zeros(len(forest.values), dtype=bool)
    origin = np.tile(np.arange(len(forest.feature)), 2)
    took = np.repeat([True, False], len(forest.feature))
    inner = children >= 0
    parent[children[inner]], side[children[inner]] = origin[inner], took[inner]
    above[~children[~inner]], above_side[~children[~inner]] = origin[~inner], took[~inner]
    nodes, sides = [above], [above_side]
    while (nodes[-1] >= 0).any():
        at = nodes[-1]
        nodes.append(np.where(at >= 0, parent[at], -1))
        sides.append(np.where(at >= 0, side[at], False))
    node, yes = np.stack(nodes[:-1], axis=1), np.stack(sides[:-1], axis=1)
    return _grouped(forest, np.asarray(owners, dtype=np.int64), node, yes)


def _grouped(forest: Forest, owners: Ints, node: Ints, yes: NDArray[np.bool_]) -> Paths:
    """Groups the nodes of each path by column: a column's shares of one path are multiplied."""
    real = node >= 0
    owner = np.where(real, owners[forest.feature[node]], -1)
    cover_yes = _cover(forest, forest.yes)[node]
    cover_no = _cover(forest, forest.no)[node]
    taken = np.where(yes, cover_yes, cover_no) / np.maximum(cover_yes + cover_no, MIN_WEIGHT)
    place = np.zeros(node.shape, dtype=np.int64)
    column = np.full(node.shape, -1, dtype=np.int64)
    share = np.ones(node.shape)
    counts = np.zeros(len(node), dtype=np.int64)
    leaf = np.arange(len(node))
    for depth in range(node.shape[1]):
        seen = (column == owner[:, depth : depth + 1]) & real[:, depth : depth + 1]
        new = real[:, depth] & ~seen.any(axis=1)
        at = np.where(new, counts, seen.argmax(axis=1))
        column[leaf[new], at[new]] = owner[new, depth]
        counts += new
        place[:, depth] = at
        there = real[:, depth]
        share[leaf[there], at[there]] *= taken[there, depth]
    most = max(1, int(counts.max()))
    return Paths(node, yes, place, column[:, :most], share[:, :most])


def _cover(forest: Forest, children: Ints) -> Floats:
    leaf, node = np.where(children < 0, ~children, 0), np.where(children >= 0, children, 0)
    inner = forest.cover[node] if len(forest.cover) else 0.0
    return np.where(children < 0, forest.leaf_cover[leaf], inner)


def expected(forest: Forest, paths: Paths, targets: Ints, width: int) -> Floats:
    """Returns the mean of a forest's outputs over its training rows, shape (width,).

    Args:
        forest: The trees.
        paths: The paths to their leaves.
        targets: The output of each leaf, shape (leaves,).
        width: How many outputs there are.

    Returns:
        Float64.
    """
    return _gather(forest.values * paths.share.prod(axis=1)[:, None], targets, width)


def tree_contributions(
    forest: Forest, paths: Paths, targets: Ints, features: Features, columns: int, width: int
) -> Floats:
    """Returns what each column adds for one encoded row (1, features), shape (columns, width).

    `targets` names the output of each leaf where leaves have a single value.

    Args:
        forest: The trees.
        paths: The paths to their leaves.
        targets: The output of each leaf, shape (leaves,).
        features: The encoded row.
        columns: How many columns there are.
        width: How many outputs there are.

    Returns:
        Float64.
    """
    reached = _reached(forest, paths, features[0].astype(np.float64))
    weight = (reached - paths.share) * _weights(reached, paths.share)
    found = np.zeros((columns, width))
    for place in range(paths.column.shape[1]):
        some = paths.column[:, place] >= 0
        column = paths.column[some, place]
        added = forest.values[some] * weight[some, place][:, None]
        if forest.values.shape[1] == 1:
            flat = np.bincount(column * width + targets[some], added[:, 0], columns * width)
            found += flat.reshape(columns, width)
        else:
            for output in range(width):
                found[:, output] += np.bincount(column, added[:, output], columns)
    return found


def _reached(forest: Forest, paths: Paths, row: Floats) -> Floats:
    value = row[forest.feature]
    goes = np.where(np.isnan(value), forest.missing, value <= forest.threshold)
    agrees = (paths.node < 0) | (goes[paths.node] == paths.yes)
    reached = np.ones(paths.share.shape, dtype=bool)
    leaf = np.arange(len(reached))
    for depth in range(paths.node.shape[1]):
        reached[leaf, paths.place[:, depth]] &= agrees[:, depth]
    return reached.astype(np.float64)


def _weights(reached: Floats, share: Floats) -> Floats:
    """Integrates the product of the other columns' factors over t from 0 to 1."""
    points, weights = np.polynomial.legendre.leggauss(share.shape[1] // 2 + 1)
    total = np.zeros(share.shape)
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factor = point * reached + (1 - point) * share
        whole = factor.prod(axis=1, keepdims=True)
        total += weight * np.divide(
            whole, factor, out=np.zeros(factor.shape), where=factor > MIN_WEIGHT
        )
    return total


def _gather(values: Floats, targets: Ints, width: int) -> Floats:
    if values.shape[1] > 1:
        return np.asarray(values.sum(axis=0))
    return np.bincount(targets, values[:, 0], width).astype(np.float64)


def rescaled(parts: Floats, link_start: Floats, link_end: Floats) -> Floats:
    """Carries contributions over to a raw prediction, so that they sum to its change.

    Output by output.

    `parts` has the shape (..., columns, outputs), the raw predictions (..., outputs).

    Args:
        parts: Contributions, shape (..., columns, outputs).
        link_start: The raw prediction that they start from, shape (..., outputs).
        link_end: The raw prediction that they end at, shape (..., outputs).

    Returns:
        Contributions, shape (..., columns, outputs).
    """
    moved = parts.sum(axis=-2)
    gap = np.where(np.abs(moved) > MIN_WEIGHT, moved, 1.0)
    factor = np.where(np.abs(moved) > MIN_WEIGHT, (link_end - link_start) / gap, 0.0)
    return np.asarray(parts * factor[..., None, :])


@dataclass(frozen=True, slots=True)
class ExactShapley:
    """A forest with its unfolded paths and the output of each leaf."""

    forest: Forest
    paths: Paths
    targets: Ints
    start: Floats

    @classmethod
    def of(cls, forest: Forest, owners: Sequence[int], width: int) -> "ExactShapley":
        """Unfolds a forest.

        Args:
            forest: The trees.
            owners: The column of each feature.
            width: How many outputs there are.

        Returns:
            The unfolded forest with the mean of its outputs.
        """
        paths = unfold(forest, owners)
        targets = forest.targets[trees_of_leaves(forest)]
        return cls(forest, paths, targets, expected(forest, paths, targets, width))

    def contributions(self, features: Features, columns: int) -> Floats:
        """Returns what each column adds for encoded rows, shape (n, columns, outputs).

        Args:
            features: Encoded rows, shape (n, features).
            columns: How many columns there are.

        Returns:
            Shape (n, columns, width).
        """
        tree = self.forest, self.paths, self.targets
        rows = [features[at : at + 1] for at in range(len(features))]
        return np.stack([tree_contributions(*tree, row, columns, len(self.start)) for row in rows])
