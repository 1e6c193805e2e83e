"""Forests from what a library grew, nodes and leaves one by one."""

from collections.abc import Sequence

import numpy as np

from modelwright_runtime.forest import Forest


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
        """Adds a leaf.

        Args:
            value: What the leaf gives, shape (width,).
            cover: Training rows that come to it.

        Returns:
            The number by which a node refers to it, below 0.
        """
        self.leaves.append(value)
        self.leaf_cover.append(cover)
        return ~(len(self.leaves) - 1)

    def node(self, feature: int, threshold: float, missing: bool, cover: float) -> int:
        """Adds a split whose raw predictions come later.

        Args:
            feature: The feature that it reads.
            threshold: A row goes to the first child where its value is at most this.
            missing: Whether gaps go there too.
            cover: Training rows that come to it.

        Returns:
            Its number.
        """
        self.nodes.append([feature, threshold, missing, cover])
        self.children.append([0, 0])
        return len(self.nodes) - 1

    def tree(self, root: int, target: int = 0) -> None:
        """Ends a tree; one that is a single leaf gets a split that changes nothing.

        Args:
            root: Number of its first node, or of its only leaf.
            target: The output that it adds to.
        """
        if root < 0:
            value, cover = self.leaves[~root], self.leaf_cover[~root]
            self.leaf_cover[~root] = cover / 2
            twin = self.leaf(value, cover / 2)
            leaf, root = root, self.node(0, 0.0, False, cover)
            self.children[root] = [leaf, twin]
        self.roots.append(root)
        self.targets.append(target)

    def forest(self) -> Forest:
        """Makes the forest.

        Returns:
            The forest.
        """
        nodes = np.array(self.nodes, dtype=np.float64).reshape(-1, 4)
        children = np.array(self.children, dtype=np.int64).reshape(-1, 2)
        return Forest(
            nodes[:, 0].astype(np.int64), nodes[:, 1], children[:, 0], children[:, 1],
            nodes[:, 2].astype(bool), nodes[:, 3],
            np.array(self.leaves, dtype=np.float64).reshape(-1, self.width),
            np.array(self.leaf_cover, dtype=np.float64),
            np.array(self.roots, dtype=np.int64), np.array(self.targets, dtype=np.int64),
        )  # fmt: skip
