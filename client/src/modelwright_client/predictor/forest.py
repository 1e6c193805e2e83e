"""Trees of any library in one form: flat arrays, ready to be scaled, joined and explained."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.archive import read_arrays

Ints = NDArray[np.int64]
KINDS = (
    np.int64, np.float64, np.int64, np.int64, np.bool_,
    np.float64, np.float64, np.float64, np.int64, np.int64,
)  # fmt: skip
"""The types of a forest's arrays, in their order."""
DEEPEST = 5000
"""Levels of a tree at most; runtimes follow trees by recursion."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees over slots: a row goes to `yes` where slot <= threshold, else to `no`.

    A link below zero names a leaf (`~leaf`), as does a root. `missing` says whether NaN goes to
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
        """Gives the forest with its leaves multiplied."""
        return replace(self, values=self.values * weight)

    def on(self, slots: Sequence[int]) -> "Forest":
        """Gives the forest with its features renumbered: feature i reads slot `slots[i]`."""
        return replace(self, feature=np.asarray(slots, dtype=np.int64)[self.feature])


def owners(forest: Forest) -> tuple[Ints, Ints]:
    """Gives for each node and for each leaf the number of its tree."""
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
    """Gives for each leaf the number of its tree."""
    return owners(forest)[1]


def only(forest: Forest, trees: NDArray[np.bool_]) -> Forest:
    """Gives the forest of some of its trees, `trees` (trees,) saying which."""
    of_nodes, of_leaves = owners(forest)
    nodes, leaves = trees[of_nodes], trees[of_leaves]
    node_at, leaf_at = np.cumsum(nodes) - 1, np.cumsum(leaves) - 1

    def moved(links: Ints) -> Ints:
        found = links.copy()
        inner = links >= 0
        found[inner], found[~inner] = node_at[links[inner]], ~leaf_at[~links[~inner]]
        return found

    return Forest(
        forest.feature[nodes], forest.threshold[nodes],
        moved(forest.yes[nodes]), moved(forest.no[nodes]),
        forest.missing[nodes], forest.cover[nodes],
        forest.values[leaves], forest.leaf_cover[leaves],
        moved(forest.roots[trees]), forest.targets[trees],
    )  # fmt: skip


def check(forest: Forest, slots: int, width: int, outputs: int) -> None:
    """Refuses (`ValueError`) arrays that are not trees over so many slots and outputs.

    `width` is what a leaf gives; see `Forest`.
    """
    for part, kind in zip(fields(forest), KINDS, strict=True):
        if getattr(forest, part.name).dtype != kind:
            raise ValueError(f"{part.name} of the trees is of a wrong type")
    nodes, leaves, trees = len(forest.feature), len(forest.values), len(forest.roots)
    links = np.concatenate([forest.yes, forest.no, forest.roots])
    shapes = [(nodes,)] * 6 + [(leaves, width), (leaves,), (trees,), (trees,)]
    if [getattr(forest, part.name).shape for part in fields(forest)] != shapes:
        raise ValueError("the arrays of the trees do not fit together")
    numbers = forest.values, forest.cover, forest.leaf_cover
    if not all(np.isfinite(part).all() for part in numbers) or np.isnan(forest.threshold).any():
        raise ValueError("the trees hold numbers that are none")
    if not _within(forest.feature, 0, slots) or not _within(forest.targets, 0, outputs):
        raise ValueError("the trees read or fill slots that there are not")
    if not _within(links, -leaves, nodes) or not _within(forest.roots, 0, nodes):
        raise ValueError("the trees lead to nodes that there are not")
    there = np.bincount(links + leaves, minlength=nodes + leaves)
    if (there != 1).any() or _reached(forest) != nodes:
        raise ValueError("the trees run into each other, in circles, or too deep")


def _within(values: Ints, low: int, high: int) -> bool:
    return bool((values >= low).all() and (values < high).all())


def _reached(forest: Forest) -> int:
    """Counts the nodes that lie below the roots, to the depth that is allowed."""
    count, level = 0, forest.roots
    for _ in range(DEEPEST):
        if not len(level):
            return count
        count += len(level)
        links = np.concatenate([forest.yes[level], forest.no[level]])
        level = links[links >= 0]
    return -1


def unpack(packed: bytes, most: int) -> tuple[Forest | None, list[Forest]]:
    """Unpacks the forest whose leaves are added, if there is one, and those that are averaged."""
    arrays = read_arrays(packed, most)
    places = sorted({int(name.split(".")[0]) for name in arrays})
    found = {
        place: Forest(**{one.name: _wide(arrays[f"{place}.{one.name}"]) for one in fields(Forest)})
        for place in places
    }
    return found.get(0), [found[place] for place in places if place > 0]


def _wide(values: Any) -> Any:
    return values.astype(np.int64) if values.dtype == np.int32 else values
