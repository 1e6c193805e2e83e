"""Makes tables of the trees of a forest that have few tests or few leaves.

Walked tree by tree, a large forest misses the prediction times that a search promises; laid out so,
all its tests of a row are a few operations on words.
"""

import numpy as np

from modelwright_runtime.bitsliced_forest import (
    MAX_BITS,
    BitslicedForest,
    FeatureTests,
    Group,
    LevelWalk,
    TreeLevel,
)
from modelwright_runtime.forest import Forest, Ints, only, owners
from modelwright_runtime.objective import Floats

MAX_LEAVES = 128
"""Leaves at most of a tree of more tests; to more it is quicker to walk."""
MAX_TREES_PER_GROUP = 64
"""Trees of a group at most: its rows stay in the processor's cache."""


def build_bitslices(forest: Forest) -> tuple[BitslicedForest | None, Forest | None]:
    """Lays out as bit slices the trees that can be, and returns the forest of the others.

    Args:
        forest: The trees.

    Returns:
        The trees as tables, and the forest of the rest; either may be None.
    """
    tests_by_tree, leaves = _tests_by_tree(forest, _tests(forest)[1]), owners(forest)[1]
    many = np.array([len(tests) > MAX_BITS for tests in tests_by_tree])
    few = ~many | (np.bincount(leaves) <= MAX_LEAVES)
    tables = _tables(forest if few.all() else only(forest, few)) if few.any() else None
    return tables, None if few.all() else only(forest, ~few)


def _tables(forest: Forest) -> BitslicedForest:
    tests, which = _tests(forest)
    tests_by_tree, tree_of = _tests_by_tree(forest, which), owners(forest)[1]
    counts = np.array([len(one) for one in tests_by_tree])
    walked = counts > MAX_BITS
    bits = np.where(walked, np.ceil(np.log2(np.bincount(tree_of))), counts).astype(np.int64)
    kinds, kind = np.unique([walked, bits, forest.targets], axis=1, return_inverse=True)
    groups = []
    for number, (far, width, target) in enumerate(kinds.T.tolist()):
        alike = np.flatnonzero(kind == number)
        for first in range(0, len(alike), MAX_TREES_PER_GROUP):
            trees = alike[first : first + MAX_TREES_PER_GROUP]
            if far:
                groups.append(Group(*_walk(forest, trees, (which, tree_of), width), target))
            else:
                tables = [_by_answers(forest, tree, which, tests_by_tree[tree]) for tree in trees]
                places = np.stack([tests_by_tree[tree] for tree in trees], axis=1)
                groups.append(Group(places, np.array(tables), target))
    return BitslicedForest(_features(tests), groups)


def _tests(forest: Forest) -> tuple[Floats, Ints]:
    """Returns the different tests, ascending, each a feature, whether NaN passes, and a threshold.

    With them comes the number of each node's.
    """
    thresholds, rank = np.unique(forest.threshold, return_inverse=True)
    numbers = (forest.feature * 2 + forest.missing) * len(thresholds) + rank
    kinds, which = np.unique(numbers, return_inverse=True)
    features, at_most = np.divmod(kinds, len(thresholds))
    return np.stack([features // 2, features % 2, thresholds[at_most]], axis=1), which


def _features(tests: Floats) -> list[FeatureTests]:
    kinds, firsts = np.unique(tests[:, :2], axis=0, return_index=True)
    ends = [*firsts[1:].tolist(), len(tests)]
    return [
        FeatureTests(int(feature), bool(gaps), tests[first:end, 2].copy(), first)
        for (feature, gaps), first, end in zip(kinds, firsts.tolist(), ends, strict=True)
    ]


def _tests_by_tree(forest: Forest, which: Ints) -> list[Ints]:
    """Returns the different tests of each tree, ascending."""
    many = int(which.max()) + 1
    pairs = np.unique(owners(forest)[0] * many + which)
    ends = np.searchsorted(pairs, np.arange(1, len(forest.roots)) * many)
    return np.split(pairs % many, ends)


def _by_answers(forest: Forest, tree: int, which: Ints, tests: Ints) -> Floats:
    """Walks a tree with every way in which its tests may be answered."""
    places = np.arange(1 << len(tests))
    at = np.full(len(places), forest.roots[tree])
    while (inner := np.flatnonzero(at >= 0)).size:
        node = at[inner]
        bit = len(tests) - 1 - np.searchsorted(tests, which[node])
        at[inner] = np.where(places[inner] >> bit & 1, forest.yes[node], forest.no[node])
    return np.asarray(forest.values[~at, 0])


def _walk(
    forest: Forest, trees: Ints, owned: tuple[Ints, Ints], bits: int
) -> tuple[LevelWalk, Floats]:
    """Returns the way to the leaves of trees, and what each tree gives by their numbers.

    `owned` are the test of each node and the tree of each leaf.
    """
    which, tree_of = owned
    levels, ends = [], []
    children, at, first = forest.roots[trees], np.arange(len(trees)), len(trees)
    while len(children):
        ends.append((~children[children < 0], at[children < 0]))
        nodes, at = children[children >= 0], at[children >= 0]
        levels.append(TreeLevel(at, which[nodes], first))
        children = np.concatenate([forest.yes[nodes], forest.no[nodes]])
        at = np.arange(first, first + len(children))
        first += len(children)
    leaf, at = (np.concatenate(one) for one in zip(*ends, strict=True))
    tree = np.searchsorted(trees, tree_of[leaf])
    order = np.argsort(tree, kind="stable")
    number = np.empty(len(leaf), dtype=np.int64)
    number[order] = np.arange(len(leaf)) - np.searchsorted(tree[order], tree[order])
    leaves, values = np.full((1 << bits, len(trees)), first), np.zeros((len(trees), 1 << bits))
    leaves[number, tree], values[tree, number] = at, forest.values[leaf, 0]
    return LevelWalk(levels, leaves, first + 1), values
