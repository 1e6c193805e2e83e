"""An additive model compiled to one table: a function of each feature, plus a weight for each term.

Numbers are read through piecewise-linear functions, categories through a value for each level.
One row of few features takes less time without arrays, and gives the same number to the last bit.
Runs in the API process: only numpy.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.columns import Features
from modelwright_runtime.objective import Floats

MAX_FEATURES_SINGLE = 24
"""So many features of one row, each of which gives one number, take less time without arrays."""


@dataclass(frozen=True, slots=True)
class Additive:
    """Weights (parameters, width) and where each feature and each text column finds its own.

    `knots` (smooth features, most knots) is padded with infinity; a smooth feature's parameters
    are one a knot, then one for a missing value. A level feature's are one a level.
    """

    weights: Floats
    bias: Floats
    smooth: NDArray[np.int64]
    knots: Floats
    counts: NDArray[np.int64]
    smooth_at: NDArray[np.int64]
    level: NDArray[np.int64]
    level_at: NDArray[np.int64]
    terms_at: int

    def is_small(self) -> bool:
        """Returns whether one row takes less time without arrays.

        Returns:
            True for one output of few features.
        """
        return (
            self.weights.shape[1] == 1 and len(self.smooth) + len(self.level) <= MAX_FEATURES_SINGLE
        )

    def design(self, features: Features) -> tuple[NDArray[np.int64], Floats]:
        """Returns parameter numbers and coefficients, both (n, 2 * smooth + levels).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Numbers of rows of `weights`, and what each counts.
        """
        value = features[:, self.smooth].astype(np.float64)
        missing = np.isnan(value)
        knots, last = self.knots[None], self.counts - 1
        above = (value[:, :, None] >= knots).sum(axis=2)
        left = np.minimum(np.maximum(above - 1, 0), np.maximum(last - 1, 0))
        right = np.minimum(left + 1, last)
        feature = np.arange(len(self.smooth))
        low, high = self.knots[feature, left], self.knots[feature, right]
        span = np.where(high > low, high - low, 1.0)
        share = np.minimum(np.maximum((value - low) / span, 0.0), 1.0)
        share[missing] = 1.0
        right = np.where(missing, self.counts, right)
        level = features[:, self.level].astype(np.int64) + self.level_at
        places = np.concatenate([left + self.smooth_at, right + self.smooth_at, level], axis=1)
        return places, np.concatenate([1.0 - share, share, np.ones(level.shape)], axis=1)

    def parts(self, features: Features) -> Floats:
        """Returns what each feature adds, shape (n, smooth + levels, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Parts in the order of `smooth` and `level`.
        """
        places, shares = self.design(features)
        added = self.weights[places] * shares[:, :, None]
        smooth = len(self.smooth)
        return np.concatenate(
            [added[:, :smooth] + added[:, smooth : 2 * smooth], added[:, 2 * smooth :]], axis=1
        )

    def scaled(self, weight: float) -> "Additive":
        """Returns the model with its raw prediction multiplied.

        Args:
            weight: What its raw prediction is multiplied by.

        Returns:
            A copy.
        """
        rest = {name: getattr(self, name) for name in self.__slots__}
        return Additive(**{**rest, "weights": self.weights * weight, "bias": self.bias * weight})


class FeatureSegments(NamedTuple):
    """The lines of one feature that give one number, and what is given for a missing value."""

    feature: int
    inner: list[float]
    low: list[float]
    length: list[float]
    start: list[float]
    rise: list[float]
    gap: float


@dataclass(frozen=True, slots=True)
class CompiledAdditive:
    """An additive model laid out for answering: one straight line for each stretch of a feature."""

    bias: Floats
    smooth: NDArray[np.int64]
    inner: Floats
    """The knots of each smooth feature but its first and last, padded with infinity."""
    first: NDArray[np.int64]
    """The first stretch of each smooth feature."""
    low: Floats
    length: Floats
    start: Floats
    """What each stretch gives where it begins, (stretches, width)."""
    rise: Floats
    gap: Floats
    """What each smooth feature gives for a missing value, (smooth, width)."""
    level: NDArray[np.int64]
    level_at: NDArray[np.int64]
    levels: Floats
    segments: tuple[FeatureSegments, ...] = ()
    """The lines of each smooth feature, where features are few and give one number."""
    named: tuple[tuple[int, int], ...] = ()
    """The feature of each category, there too, and where its levels begin."""
    named_weights: tuple[float, ...] = ()
    """What the levels give."""

    @classmethod
    def of(cls, model: Additive) -> "CompiledAdditive":
        """Lays out a model.

        Args:
            model: An additive model.

        Returns:
            Its lines, which give the same raw predictions.
        """
        stretches = np.maximum(model.counts - 1, 1)
        first = np.concatenate([[0], np.cumsum(stretches)[:-1]]).astype(np.int64)
        owner = np.repeat(np.arange(len(stretches)), stretches)
        left = np.arange(len(owner)) - first[owner]
        right = np.minimum(left + 1, model.counts[owner] - 1)
        low, high = model.knots[owner, left], model.knots[owner, right]
        begun = model.weights[model.smooth_at[owner] + left]
        ended = model.weights[model.smooth_at[owner] + right]
        inner = model.knots[:, 1:-1].copy()
        inner[np.arange(inner.shape[1]) >= (model.counts - 2)[:, None]] = np.inf
        made = cls(
            model.bias, model.smooth, inner, first, low, np.where(high > low, high - low, 1.0),
            begun, ended - begun, model.weights[model.smooth_at + model.counts],
            model.level, model.level_at, model.weights,
        )  # fmt: skip
        return made._without_arrays(stretches) if model.is_small() else made

    def _without_arrays(self, stretches: NDArray[np.int64]) -> "CompiledAdditive":
        ends = stretches.cumsum()[:-1]
        laid = self.low, self.length, self.start[:, 0], self.rise[:, 0]
        parts = [[one.tolist() for one in np.split(part, ends)] for part in laid]
        inner = self.inner.tolist()
        segments = map(
            FeatureSegments, self.smooth.tolist(), inner, *parts, self.gap[:, 0].tolist()
        )
        named = zip(self.level.tolist(), self.level_at.tolist(), strict=True)
        weights = self.levels[:, 0].tolist() if len(self.level) else ()
        return replace(
            self, segments=tuple(segments), named=tuple(named), named_weights=tuple(weights)
        )

    def raw_prediction(self, features: Floats) -> Floats:
        """Returns the raw prediction without the terms of texts, shape (n, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Raw predictions, float64.
        """
        if len(features) == 1 and (self.segments or self.named):
            return np.array([[self._of_one(features[0].tolist())]])
        value = features.take(self.smooth, axis=1)
        at = self.first + (value[:, :, None] >= self.inner).sum(axis=2)
        share = (value - self.low.take(at)) / self.length.take(at)
        share = np.minimum(np.maximum(share, 0.0), 1.0)[:, :, None]
        added = self.start.take(at, axis=0) + self.rise.take(at, axis=0) * share
        added = np.where(np.isnan(value)[:, :, None], self.gap, added)
        if len(self.level):
            level = features.take(self.level, axis=1).astype(np.int64) + self.level_at
            added = np.concatenate([added, self.levels.take(level, axis=0)], axis=1)
        # Summed along a contiguous last axis: the order of additions is then the same in a batch.
        return np.asarray(self.bias + np.ascontiguousarray(added.transpose(0, 2, 1)).sum(axis=2))

    def _of_one(self, features: Sequence[float]) -> float:
        added = []
        for feature, inner, low, length, start, rise, gap in self.segments:
            value = features[feature]
            if value != value:  # noqa: PLR0124 - NaN alone differs
                added.append(gap)
                continue
            at = bisect_right(inner, value)
            share = (value - low[at]) / length[at]
            added.append(start[at] + rise[at] * min(max(share, 0.0), 1.0))
        added += [
            self.named_weights[int(features[feature]) + first] for feature, first in self.named
        ]
        # Summed as a batch is: in pairs.
        return float(self.bias[0] + np.array(added).sum())


def merge(parts: Sequence[Additive]) -> Additive:
    """Adds additive models over the same features into one, on the union of their knots.

    Args:
        parts: Models over the same features, one at least.

    Returns:
        One model.
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    knots = [
        np.unique(np.concatenate([part.knots[feature, : part.counts[feature]] for part in parts]))
        for feature in range(len(first.smooth))
    ]
    padded, counts = as_table(knots)
    starts = np.concatenate([[0], np.cumsum(counts + 1)]).astype(np.int64)
    shift = int(starts[-1]) - _levels_at(first)
    weights = np.sum([_moved(part, knots) for part in parts], axis=0)
    return Additive(
        weights, np.sum([part.bias for part in parts], axis=0), first.smooth, padded, counts,
        starts[:-1], first.level, first.level_at + shift, first.terms_at + shift,
    )  # fmt: skip


def as_table(knots: Sequence[Floats]) -> tuple[Floats, NDArray[np.int64]]:
    """Lays the knots of features out as `Additive` has them.

    Args:
        knots: The knots of each feature, ascending.

    Returns:
        Knots, shape (features, most knots, 2 at least), filled up with infinity, and how many each
        feature has.
    """
    counts = np.array([len(one) for one in knots], dtype=np.int64)
    padded = np.full((len(knots), max([2, *counts])), np.inf)
    for row, one in zip(padded, knots, strict=True):
        row[: len(one)] = one
    return padded, counts


def _levels_at(part: Additive) -> int:
    return int((part.counts + 1).sum())


def _moved(part: Additive, knots: Sequence[Floats]) -> Floats:
    """Reads a part's functions at other knots; levels and terms follow unchanged."""
    rows = []
    for feature, wanted in enumerate(knots):
        at, count = part.smooth_at[feature], part.counts[feature]
        own, values = part.knots[feature, :count], part.weights[at : at + count]
        rows.append(np.stack([np.interp(wanted, own, one) for one in values.T], axis=1))
        rows.append(part.weights[at + count : at + count + 1])
    return np.concatenate([*rows, part.weights[_levels_at(part) :]])
