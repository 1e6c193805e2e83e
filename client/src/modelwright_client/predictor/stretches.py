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

from modelwright_client.predictor.goals import Floats

TAIL = 3.0
"""A scaled number comes no further from the middle than this."""
FEW = 24
"""Numbers of one row that take less time without arrays."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """Straight lines between knots, laid out slot after slot."""

    inner: Floats
    """The knots of each slot but its first and last, padded with infinity."""
    first: NDArray[np.int64]
    low: Floats
    high: Floats
    left: Floats
    begun: Floats
    rise: Floats

    @classmethod
    def of(cls, knots: Floats, scores: Floats) -> "Stretches":
        """Lays out the lines; `knots` (slots, most) is padded with infinity, `scores` alike."""
        counts = np.isfinite(knots).sum(axis=1)
        width = knots.shape[1] - 1
        inner = knots[:, 1:-1].copy()
        inner[np.arange(inner.shape[1]) >= (counts - 2)[:, None]] = np.inf
        low, high = knots[:, :-1], knots[:, 1:]
        real = np.isfinite(high)
        left = np.where(np.isfinite(low), low, 0.0)
        length = np.where(real & (high > left), high - left, 1.0)
        rise = np.where(real, np.diff(scores, axis=1), 0.0) / length
        return cls(
            inner, np.arange(len(knots)) * width, knots[:, 0],
            knots[np.arange(len(knots)), counts - 1],
            left.ravel(), scores[:, :-1].ravel(), rise.ravel(),
        )  # fmt: skip

    def at(self, value: Floats) -> Floats:
        """Gives the scores of values, both (n, slots)."""
        at = self.first + (value[:, :, None] >= self.inner).sum(axis=2)
        held = np.minimum(np.maximum(value, self.low), self.high)
        return np.asarray(self.begun.take(at) + self.rise.take(at) * (held - self.left.take(at)))


class Line(NamedTuple):
    """What is read of one slot's number, and the straight lines between its knots."""

    centre: float
    spread: float
    inner: list[float]
    low: float
    high: float
    left: list[float]
    begun: list[float]
    rise: list[float]


def lines_of(stretches: Stretches, centre: Floats, spread: Floats) -> tuple[Line, ...]:
    """Gives the line of each slot where they are few, else none."""
    if not 0 < len(centre) <= FEW or not spread.all():
        return ()
    width = len(stretches.left) // len(centre)
    laid = [part.reshape(-1, width) for part in (stretches.left, stretches.begun, stretches.rise)]
    parts = [centre, spread, stretches.inner, stretches.low, stretches.high, *laid]
    return tuple(map(Line, *(part.tolist() for part in parts)))


def numbers_of_one(lines: Sequence[Line], values: Sequence[float]) -> Floats:
    """Gives numbers of one row scaled, then their scores and any gaps, shape (1, inputs)."""
    scaled, scores, gaps = [], [], []
    for place, (value, line) in enumerate(zip(values, lines, strict=True)):
        centre, spread, inner, low, high, left, begun, rise = line
        if value != value:  # noqa: PLR0124 - NaN alone differs
            gaps.append(place)
            scaled.append(0.0)
            scores.append(0.0)
            continue
        off = (value - centre) / spread
        far = off / TAIL
        scaled.append(off / sqrt(1.0 + far * far))
        at = bisect_right(inner, value)
        held = low if value < low else min(value, high)
        scores.append(begun[at] + rise[at] * (held - left[at]))
    if gaps:
        scores += [float(place in gaps) for place in range(len(values))]
    return np.array([scaled + scores])
