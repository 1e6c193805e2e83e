"""Puts the rows of a batch that are alike beside each other, for trees to be walked quicker.

Rows that follow each other then mostly take the same way down a tree, which the processor guesses
right. What each row is answered does not change.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from modelwright_runtime.columns import Features
from modelwright_runtime.forest import Forest, Ints
from modelwright_runtime.objective import Floats

MAX_FEATURES = 8
"""Features that are looked at, those that rows are asked for most."""
BITS_PER_FEATURE = 3
"""Each of them is cut into 2 ** bits ranges."""


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The features that forests ask for most, and thresholds that part the rows alike."""

    features: Sequence[int]
    edges: Sequence[Floats]
    """The ends of a feature's ranges but the last, ascending, (2 ** bits - 1,)."""

    @classmethod
    def of(cls, forests: Sequence[Forest]) -> "RowOrder":
        """Makes the order of what forests, of one node at least, ask the rows of their training.

        Args:
            forests: Forests of a model.

        Returns:
            The order.
        """
        feature = np.concatenate([one.feature for one in forests])
        threshold = np.concatenate([one.threshold for one in forests])
        asked = np.bincount(feature, np.concatenate([one.cover for one in forests]))
        there = np.flatnonzero(np.bincount(feature))
        features = there[np.argsort(-asked[there], kind="stable")][:MAX_FEATURES].tolist()
        return cls(features, [_edges(threshold[feature == one]) for one in features])

    def places(self, features: Features) -> Ints:
        """Returns the numbers of rows (n, features) in their order, along a Z-order curve.

        Args:
            features: Encoded rows, float32.

        Returns:
            Numbers of the rows, shape (n,).
        """
        ranges = [
            np.searchsorted(edges, features[:, feature])
            for feature, edges in zip(self.features, self.edges, strict=True)
        ]
        key = np.zeros(len(features), dtype=np.int64)
        for bit in reversed(range(BITS_PER_FEATURE)):
            for place in ranges:
                key = key << 1 | place >> bit & 1
        return key.argsort(kind="stable")


def _edges(thresholds: Floats) -> Floats:
    parts = 1 << BITS_PER_FEATURE
    return np.sort(thresholds)[len(thresholds) * np.arange(1, parts) // parts]
