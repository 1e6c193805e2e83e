"""Numbers as a network reads them: scaled, and as scores on straight lines between knots.

One row of few numbers takes less time without arrays, and gives the same numbers to the last bit.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats

MAX_SCALED = 3.0
"""A scaled number comes no further from the middle than this."""
MAX_FEATURES_SINGLE = 32
"""Numbers of one row that take less time without arrays."""


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """Straight lines between knots, laid out feature after feature.

    With a flat one at either end.
    """

    knots: Floats
    """The knots of the features, (most knots, features), padded with infinity."""
    first: NDArray[np.int64]
    left: Floats
    begun: Floats
    rise: Floats

    @classmethod
    def of(cls, knots: Floats, scores: Floats) -> "PiecewiseLinear":
        """Lays out the lines; `knots` (features, most) is padded with infinity, `scores` alike.

        Args:
            knots: Knots of each feature in rising order, shape (features, most), padded with
                infinity.
            scores: The score at each knot, shape (features, most).

        Returns:
            Lines between the knots, level beyond them.
        """
        real = np.isfinite(knots[:, 1:])
        start = np.where(np.isfinite(knots), knots, 0.0)
        length = np.where(real & (knots[:, 1:] > start[:, :-1]), knots[:, 1:] - start[:, :-1], 1.0)
        rise = np.where(real, np.diff(scores, axis=1), 0.0) / length
        width = knots.shape[1] + 1
        return cls(
            np.ascontiguousarray(knots.T), np.arange(len(knots)) * width,
            np.concatenate([start[:, :1], start], axis=1).ravel(),
            np.concatenate([scores[:, :1], scores], axis=1).ravel(),
            np.pad(rise, [(0, 0), (1, 1)]).ravel(),
        )  # fmt: skip

    def at(self, value: Floats) -> Floats:
        """Returns the scores of values, both (n, features).

        Args:
            value: Values, shape (n, features).

        Returns:
            Scores, shape (n, features).
        """
        knots = self.knots if len(value) == 1 else self.knots[:, None]
        passed = np.add.reduce((value >= knots).view(np.int8), 0, np.int16)
        at = self.first + passed
        return np.asarray(self.begun.take(at) + self.rise.take(at) * (value - self.left.take(at)))


class Segments(NamedTuple):
    """What is read of one feature's number, and the straight lines between its knots."""

    centre: float
    spread: float
    knots: list[float]
    left: list[float]
    begun: list[float]
    rise: list[float]


def segments_of(piecewise: PiecewiseLinear, centre: Floats, spread: Floats) -> tuple[Segments, ...]:
    """Returns the segments of each feature where features are few, else none.

    Args:
        piecewise: The functions of all features.
        centre: The centre of each feature, shape (features,).
        spread: The spread of each feature, shape (features,).

    Returns:
        Plain numbers of each feature's segments.
    """
    if not 0 < len(centre) <= MAX_FEATURES_SINGLE or not spread.all():
        return ()
    width = len(piecewise.left) // len(centre)
    laid = [part.reshape(-1, width) for part in (piecewise.left, piecewise.begun, piecewise.rise)]
    parts = [centre, spread, piecewise.knots.T, *laid]
    return tuple(map(Segments, *(part.tolist() for part in parts)))


def numbers_of_one(segments: Sequence[Segments], values: Sequence[float]) -> Floats:
    """Returns numbers of one row scaled, then their scores and any gaps, shape (1, inputs).

    Args:
        segments: What `segments_of` gave.
        values: The numbers of the row, NaN where missing.

    Returns:
        Inputs, float64.
    """
    scaled, scores, gaps = [], [], []
    for place, (value, segment) in enumerate(zip(values, segments, strict=True)):
        centre, spread, knots, left, begun, rise = segment
        if value != value:  # noqa: PLR0124 - NaN alone differs
            gaps.append(place)
            scaled.append(0.0)
            scores.append(0.0)
            continue
        off = (value - centre) / spread
        far = off / MAX_SCALED
        scaled.append(off / sqrt(1.0 + far * far))
        at = bisect_right(knots, value)
        scores.append(begun[at] + rise[at] * (value - left[at]))
    if gaps:
        scores += [float(place in gaps) for place in range(len(values))]
    return np.array([scaled + scores])
