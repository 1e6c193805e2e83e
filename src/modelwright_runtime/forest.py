"""Trees of any library in one form: flat arrays, ready to be scaled, joined and explained."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.archive import read_arrays

Ints = NDArray[np.int64]
ARRAY_TYPES = (
    np.int64, np.float64, np.int64, np.int64, np.bool_,
    np.float64, np.float64, np.float64, np.int64, np.int64,
)  # fmt: skip
"""The types of a forest's arrays, in their order."""
MAX_DEPTH = 5000
"""Levels of a tree at most; runtimes follow trees by recursion."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees over features: a row goes to `yes` where feature <= threshold, else to `no`.

    A child below zero names a leaf (`~leaf`), as does a root. `missing` says whether NaN goes to
    `yes`. `values` (leaves, width) holds what a leaf gives; a tree of a forest of width one adds
    to the output `targets[tree]`. Covers count the training rows that passed.
    """

    feature: Ints
    threshold: NDArray[np.float64]
    yes: Ints
    no: Ints
    missing: NDArray[np.bool_]
    cover: NDArray[np.float64]
    values: NDArray[np.float64]
    leaf_cover: NDArray[np.float64]
    roots: Ints
    targets: Ints

    def scaled(self, weight: float) -> "Forest":
        """Returns the forest with its leaves multiplied.

        Args:
            weight: What its leaves are multiplied by.

        Returns:
            A copy.
        """
        return replace(self, values=self.values * weight)

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> "Forest":
        """Makes a forest of its arrays by their names, integers of 32 bits widened.

        Args:
            arrays: The arrays by the names of the fields.

        Returns:
            The forest, not checked.
        """
        return cls(**{one.name: _wide(arrays[one.name]) for one in fields(cls)})

    def on(self, features: Sequence[int]) -> "Forest":
        """Returns the forest with its features renumbered: feature i reads `features[i]`.

        Args:
            features: New numbers of the features.

        Returns:
            A copy.
        """
        return replace(self, feature=np.asarray(features, dtype=np.int64)[self.feature])


def owners(forest: Forest) -> tuple[Ints, Ints]:
    """Returns for each node and for each leaf the number of its tree.

    Args:
        forest: The trees.

    Returns:
        Shapes (nodes,) and (leaves,).
    """
    nodes = _in_turn(forest)
    if nodes is None:
        return _walked(forest)
    leaves = np.zeros(len(forest.values), dtype=np.int64)
    for children in forest.yes, forest.no:
        ends = np.flatnonzero(children < 0)
        leaves[~children[ends]] = nodes[ends]
    return nodes, leaves


def _in_turn(forest: Forest) -> Ints | None:
    """Returns each node's tree where trees lie one after the other, as they mostly do.

    Else None.
    """
    sizes = np.diff([*forest.roots, len(forest.feature)])
    if forest.roots[:1].any() or (forest.roots < 0).any() or (sizes < 1).any():
        return None
    nodes = np.repeat(np.arange(len(sizes)), sizes)
    for children in forest.yes, forest.no:
        if (nodes[np.maximum(children, 0)] != nodes)[children >= 0].any():
            return None
    return nodes


def _walked(forest: Forest) -> tuple[Ints, Ints]:
    leaves = np.zeros(len(forest.values), dtype=np.int64)
    nodes = np.zeros(len(forest.feature), dtype=np.int64)
    level, trees = forest.roots, np.arange(len(forest.roots))
    while len(level):
        inner = level >= 0
        leaves[~level[~inner]] = trees[~inner]
        level, trees = level[inner], trees[inner]
        nodes[level] = trees
        level = np.concatenate([forest.yes[level], forest.no[level]])
        trees = np.concatenate([trees, trees])
    return nodes, leaves


def trees_of_leaves(forest: Forest) -> Ints:
    """Returns for each leaf the number of its tree.

    Args:
        forest: The trees.

    Returns:
        Shape (leaves,).
    """
    return owners(forest)[1]


def only(forest: Forest, trees: NDArray[np.bool_]) -> Forest:
    """Returns the forest of some of its trees, `trees` (trees,) saying which.

    Args:
        forest: The trees.
        trees: Which trees are kept, shape (trees,).

    Returns:
        A forest of them.
    """
    of_nodes, of_leaves = owners(forest)
    nodes, leaves = np.flatnonzero(trees[of_nodes]), np.flatnonzero(trees[of_leaves])
    return _taken(forest, nodes, leaves, np.flatnonzero(trees))


def split(forest: Forest, most: int | None) -> list[tuple[Forest, Ints]]:
    """Splits a forest, in order, into ones of about `most` nodes, or of a tree that has more.

    Without `most` into one for each target. With each come the numbers that its leaves had.

    Args:
        forest: The trees.
        most: About so many nodes has each; without it there is one for each target.

    Returns:
        Forests, each with the numbers that its leaves had, shape (leaves,).
    """
    trees = np.arange(len(forest.roots)) if most else forest.targets.argsort(kind="stable")
    of_nodes, of_leaves = map(trees.argsort().take, owners(forest))
    leaves = np.argsort(of_leaves, kind="stable")
    if (np.diff(of_nodes) < 0).any() or (np.diff(of_leaves) < 0).any():
        forest = _taken(forest, np.argsort(of_nodes, kind="stable"), leaves, trees)
    node_ends = np.cumsum(np.bincount(of_nodes, minlength=len(trees)))
    leaf_ends = np.cumsum(np.bincount(of_leaves, minlength=len(trees)))
    lasts = np.flatnonzero(np.diff((node_ends - 1) // most if most else forest.targets, append=-1))
    found, node, leaf, tree = [], 0, 0, 0
    for last in lasts.tolist():
        ends = int(node_ends[last]), int(leaf_ends[last]), last + 1
        some = slice(node, ends[0]), slice(leaf, ends[1]), slice(tree, ends[2])
        found.append((_run(forest, *some), leaves[some[1]]))
        node, leaf, tree = ends
    return found


def _run(forest: Forest, nodes: slice, leaves: slice, trees: slice) -> Forest:
    """Returns the forest of trees that lie one after the other, as do their nodes and leaves."""

    def moved(children: Ints) -> Ints:
        return np.asarray(np.where(children >= 0, children - nodes.start, children + leaves.start))

    return _parts(forest, nodes, leaves, trees, moved)


def _taken(forest: Forest, nodes: Ints, leaves: Ints, trees: Ints) -> Forest:
    """Returns the forest of some trees, by the numbers of all their nodes and leaves."""
    node_at = np.empty(len(forest.feature), dtype=np.int64)
    leaf_at = np.empty(len(forest.values), dtype=np.int64)
    node_at[nodes], leaf_at[leaves] = np.arange(len(nodes)), np.arange(len(leaves))

    def moved(children: Ints) -> Ints:
        inner, ends = node_at[np.maximum(children, 0)], ~leaf_at[np.maximum(~children, 0)]
        return np.asarray(np.where(children >= 0, inner, ends))

    return _parts(forest, nodes, leaves, trees, moved)


def _parts(
    forest: Forest, nodes: Any, leaves: Any, trees: Any, moved: Callable[[Ints], Ints]
) -> Forest:
    return Forest(
        forest.feature[nodes], forest.threshold[nodes],
        moved(forest.yes[nodes]), moved(forest.no[nodes]),
        forest.missing[nodes], forest.cover[nodes],
        forest.values[leaves], forest.leaf_cover[leaves],
        moved(forest.roots[trees]), forest.targets[trees],
    )  # fmt: skip


def check(forest: Forest, features: int, width: int, outputs: int) -> None:
    """Refuses (`ValueError`) arrays that are not trees over so many features and outputs.

    `width` is what a leaf gives; see `Forest`.

    Args:
        forest: The trees.
        features: How many features a node may read.
        width: What a leaf gives; see `Forest`.
        outputs: How many targets there are.

    Raises:
        ValueError: The arrays are no such trees.
    """
    for part, kind in zip(fields(forest), ARRAY_TYPES, strict=True):
        if getattr(forest, part.name).dtype != kind:
            raise ValueError(f"{part.name} of the trees is of a wrong type")
    nodes, leaves, trees = len(forest.feature), len(forest.values), len(forest.roots)
    children = np.concatenate([forest.yes, forest.no, forest.roots])
    shapes = [(nodes,)] * 6 + [(leaves, width), (leaves,), (trees,), (trees,)]
    if [getattr(forest, part.name).shape for part in fields(forest)] != shapes:
        raise ValueError("the arrays of the trees do not fit together")
    numbers = forest.values, forest.cover, forest.leaf_cover
    if not all(np.isfinite(part).all() for part in numbers) or np.isnan(forest.threshold).any():
        raise ValueError("the trees hold numbers that are none")
    if not is_within(forest.feature, 0, features) or not is_within(forest.targets, 0, outputs):
        raise ValueError("the trees read or fill slots that there are not")
    if not is_within(children, -leaves, nodes) or not is_within(forest.roots, 0, nodes):
        raise ValueError("the trees lead to nodes that there are not")
    there = np.bincount(children + leaves, minlength=nodes + leaves)
    if (there != 1).any() or _reached(forest) != nodes:
        raise ValueError("the trees run into each other, in circles, or too deep")


def is_within(values: Ints, low: int, high: int) -> bool:
    """Returns whether all values are from `low` to below `high`.

    Args:
        values: Whole numbers.
        low: The smallest that may be there.
        high: The first that may not.

    Returns:
        True for no values too.
    """
    return bool((values >= low).all() and (values < high).all())


def _reached(forest: Forest) -> int:
    """Counts the nodes that lie below the roots, to the depth that is allowed."""
    count, level = 0, forest.roots
    for _ in range(MAX_DEPTH):
        if not len(level):
            return count
        count += len(level)
        children = np.concatenate([forest.yes[level], forest.no[level]])
        level = children[children >= 0]
    return -1


@dataclass(slots=True, eq=False)
class PackedForest:
    """A forest of an artifact, which is unpacked whenever it is asked for.

    `packed` are the bytes of `trees.npz`, in which it has a place; `fresh` is the forest itself,
    which was unpacked when the artifact was read.
    """

    packed: bytes
    place: int
    fresh: Forest | None

    @property
    def forest(self) -> Forest:
        """The forest."""
        if self.fresh is not None:
            return self.fresh
        prefix = f"{self.place}."
        names = {prefix + one.name for one in fields(Forest)}
        arrays = read_arrays(self.packed, sys.maxsize, names)
        return Forest.of({name.removeprefix(prefix): one for name, one in arrays.items()})

    def forget(self) -> None:
        """Lets go of the forest itself: what answers rows does not need it."""
        self.fresh = None


def join(forests: Iterable[Forest]) -> Forest:
    """Puts forests of one width into one, their trees in turn.

    Args:
        forests: Forests of one width.

    Returns:
        One forest.
    """
    parts = list(forests)
    nodes = np.cumsum([0] + [len(part.feature) for part in parts])
    leaves = np.cumsum([0] + [len(part.values) for part in parts])

    def moved(children: Ints, place: int) -> Ints:
        return np.asarray(
            np.where(children >= 0, children + nodes[place], children - leaves[place])
        )

    def along(name: str) -> NDArray[np.float64]:
        return np.concatenate([getattr(part, name) for part in parts])

    def linked(name: str) -> Ints:
        return np.concatenate([moved(getattr(part, name), i) for i, part in enumerate(parts)])

    return Forest(
        along("feature").astype(np.int64), along("threshold"), linked("yes"), linked("no"),
        along("missing").astype(bool), along("cover"), along("values"), along("leaf_cover"),
        linked("roots"), along("targets").astype(np.int64),
    )  # fmt: skip


def _wide(values: Any) -> Any:
    return values.astype(np.int64) if values.dtype == np.int32 else values
