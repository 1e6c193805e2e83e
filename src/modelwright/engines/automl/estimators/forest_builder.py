"""Forests from what a library grew: nodes and leaves one by one, trees put together."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.forest import Forest, Ints


class ForestBuilder:
    """Collects nodes and leaves one by one and makes a forest of them."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.nodes: list[list[float]] = []
        self.children: list[list[int]] = []
        self.leaves: list[Sequence[float]] = []
        self.leaf_cover: list[float] = []
        self.roots: list[int] = []
        self.targets: list[int] = []

    def leaf(self, value: Sequence[float], cover: float) -> int:
        """Adds a leaf and gives the raw prediction to it."""
        self.leaves.append(value)
        self.leaf_cover.append(cover)
        return ~(len(self.leaves) - 1)

    def node(self, feature: int, threshold: float, missing: bool, cover: float) -> int:
        """Adds a split whose raw predictions come later."""
        self.nodes.append([feature, threshold, missing, cover])
        self.children.append([0, 0])
        return len(self.nodes) - 1

    def tree(self, root: int, target: int = 0) -> None:
        """Ends a tree; one that is a single leaf gets a split that changes nothing."""
        if root < 0:
            value, cover = self.leaves[~root], self.leaf_cover[~root]
            self.leaf_cover[~root] = cover / 2
            twin = self.leaf(value, cover / 2)
            leaf, root = root, self.node(0, 0.0, False, cover)
            self.children[root] = [leaf, twin]
        self.roots.append(root)
        self.targets.append(target)

    def forest(self) -> Forest:
        """Makes the forest."""
        nodes = np.array(self.nodes, dtype=np.float64).reshape(-1, 4)
        children = np.array(self.children, dtype=np.int64).reshape(-1, 2)
        return Forest(
            nodes[:, 0].astype(np.int64), nodes[:, 1], children[:, 0], children[:, 1],
            nodes[:, 2].astype(bool), nodes[:, 3],
            np.array(self.leaves, dtype=np.float64).reshape(-1, self.width),
            np.array(self.leaf_cover, dtype=np.float64),
            np.array(self.roots, dtype=np.int64), np.array(self.targets, dtype=np.int64),
        )  # fmt: skip


def join(forests: Iterable[Forest]) -> Forest:
    """Puts forests of one width into one."""
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
