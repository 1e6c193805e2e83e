"""A neural network of one or two hidden layers on encoded rows. Runs in the API process on numpy.

Numbers are read twice, scaled and as normal scores of their ranks; categories, and numbers of few
values where that was learnt, by one input a level.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.columns import Slots
from modelwright_client.predictor.goals import Floats

Ints = NDArray[np.int64]
TAIL = 3.0
"""A scaled number comes no further from the middle than this."""
CHUNK = 128
"""Rows that are answered at once: their hidden units fit into the processor's cache."""
FEW = 24
"""Numbers of one row that take less time without arrays."""
ORDERS = 4
"""Orders of the columns, and as many reversed, that a Shapley value is the mean of."""


INPUTS = (
    "smooth", "centre", "spread", "knots", "scores", "level", "sizes", "stepped", "steps"
)  # fmt: skip
WEIGHTS = "inner", "start", "outer", "straight", "bias", "means"
DEEPER = "middle", "begin"


@dataclass(frozen=True, slots=True)
class Stretches:
    """Straight lines between knots, laid out slot after slot."""

    inner: Floats
    """The knots of each slot but its first and last, padded with infinity."""
    first: Ints
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


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a network reads of slots: scaled numbers, their scores, gaps, then levels.

    `knots`, `scores` (smooth, most knots) and `steps` (stepped, most values) are padded, with the
    last score and with infinity. A stepped slot has an input for each of its values.
    """

    smooth: Ints
    centre: Floats
    spread: Floats
    knots: Floats
    scores: Floats
    level: Ints
    sizes: Ints
    stepped: Ints
    steps: Floats
    stretches: Stretches = field(init=False, repr=False)
    lines: tuple[Line, ...] = field(init=False, repr=False)
    """Of each smooth slot, where they are few."""
    first: Ints = field(init=False, repr=False)
    """The input of the first level of each code, then of the first value of each stepped slot."""
    width: int = field(init=False)
    """The number of inputs."""

    def __post_init__(self) -> None:
        sizes = [*self.sizes.tolist(), *[self.steps.shape[1]] * len(self.stepped)]
        ends = 3 * len(self.smooth) + np.cumsum(np.array([0, *sizes], dtype=np.int64))
        object.__setattr__(self, "stretches", Stretches.of(self.knots, self.scores))
        object.__setattr__(self, "lines", tuple(self._lines()))
        object.__setattr__(self, "first", ends[:-1])
        object.__setattr__(self, "width", int(ends[-1]))

    def _lines(self) -> Iterator[Line]:
        if len(self.smooth) > FEW or not self.spread.all():
            return
        laid, width = self.stretches, self.knots.shape[1] - 1
        for slot, first in enumerate(laid.first.tolist()):
            own = slice(first, first + width)
            yield Line(
                float(self.centre[slot]), float(self.spread[slot]), laid.inner[slot].tolist(),
                float(laid.low[slot]), float(laid.high[slot]),
                laid.left[own].tolist(), laid.begun[own].tolist(), laid.rise[own].tolist(),
            )  # fmt: skip

    def owners(self) -> Ints:
        """Gives the slot that each input reads."""
        stepped = np.repeat(self.stepped, self.steps.shape[1])
        levels = np.repeat(self.level, self.sizes)
        return np.concatenate([np.tile(self.smooth, 3), levels, stepped])

    def of(self, slots: Floats) -> Floats:
        """Gives the inputs of encoded rows, shape (n, width)."""
        numbers = self.numbers(slots)
        found = np.zeros((len(slots), self.width + 1))
        found[:, : numbers.shape[1]] = numbers
        found[np.arange(len(slots))[:, None], self.ones(slots)] = 1.0
        return found[:, :-1]

    def numbers(self, slots: Floats) -> Floats:
        """Gives the first inputs: scaled numbers, scores, and gaps unless there are none."""
        count = len(self.smooth)
        value = slots.take(self.smooth, axis=1)
        if self.lines and len(slots) == 1:
            return self._of_one(value[0].tolist())
        gap = np.isnan(value)
        gaps = bool(gap.any())
        found = np.empty((len(slots), (2 + gaps) * count))
        if gaps:
            value = np.where(gap, self.centre, value)
            found[:, 2 * count :] = gap
        off = (value - self.centre) / self.spread
        found[:, :count] = off / np.sqrt(1.0 + np.square(off / TAIL))
        scores = self.stretches.at(value)
        found[:, count : 2 * count] = np.where(gap, 0.0, scores) if gaps else scores
        return found

    def _of_one(self, values: list[float]) -> Floats:
        scaled, scores, gaps = [], [], []
        for place, (value, line) in enumerate(zip(values, self.lines, strict=True)):
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

    def ones(self, slots: Floats) -> Ints:
        """Gives which of the other inputs are 1, shape (n, codes and stepped); `width` is none."""
        codes = slots.take(self.level, axis=1).astype(np.int64)
        if not len(self.stepped):
            return np.asarray(self.first + codes)
        value = slots.take(self.stepped, axis=1)
        gap = np.isnan(value)
        away = np.abs(np.where(gap, 0.0, value)[:, :, None] - self.steps)
        found: Ints = self.first + np.concatenate([codes, away.argmin(axis=2)], axis=1)
        found[:, len(self.level) :][gap] = self.width
        return found


@dataclass(frozen=True, slots=True)
class Network:
    """link = bias + inputs @ straight + hidden @ outer, hidden = swish(inputs @ inner + start).

    With `middle` (networks, units, units) the hidden units of each network feed a second layer,
    which begins at `begin` (networks, 1, units) and takes the place of the first.
    """

    inputs: Inputs
    inner: Floats
    start: Floats
    outer: Floats
    straight: Floats
    bias: Floats
    means: Floats
    """The mean of each input over training rows, from which explanations start."""
    middle: Floats
    begin: Floats
    weights: Floats = field(init=False, repr=False)
    """`inner` and `straight` beside each other, with a last row of zeros."""

    def __post_init__(self) -> None:
        weights = np.concatenate([self.inner, self.straight], axis=1)
        object.__setattr__(self, "weights", np.pad(weights, [(0, 1), (0, 0)]))

    def link(self, slots: Floats) -> Floats:
        """Gives the link of encoded rows, shape (n, width)."""
        if len(slots) <= CHUNK:
            return self._link(slots)
        parts = [self._link(slots[at : at + CHUNK]) for at in range(0, len(slots), CHUNK)]
        return np.concatenate(parts)

    def _link(self, slots: Floats) -> Floats:
        return self.told(self.raw(slots))

    def raw(self, slots: Floats) -> Floats:
        """Gives what the inputs of encoded rows add, shape (n, hidden and outputs)."""
        numbers = self.inputs.numbers(slots)
        found = numbers @ self.weights[: numbers.shape[1]]
        if len(self.inputs.first):
            ones = self.inputs.ones(slots)
            if len(slots) == 1:
                found += self.weights.take(ones[0], axis=0).sum(axis=0)
            else:
                for places in ones.T:
                    found += self.weights.take(places, axis=0)
        return np.asarray(found)

    def told(self, raw: Floats) -> Floats:
        """Gives the link of what inputs add, shape (n, width)."""
        units = len(self.start)
        hidden = self._hidden(raw[:, :units] + self.start)
        return raw[:, units:] + hidden @ self.outer + self.bias

    def _hidden(self, raw: Floats) -> Floats:
        """Gives the last hidden units, shape (n, last units)."""
        hidden = swish(raw)
        if not len(self.middle):
            return hidden
        networks, units, last = self.middle.shape
        split = hidden.reshape(len(raw), networks, units).transpose(1, 0, 2)
        deeper = swish(split @ self.middle + self.begin)
        return np.asarray(deeper.transpose(1, 0, 2).reshape(len(raw), networks * last))

    def scaled(self, weight: float) -> "Network":
        """Gives the network with its link multiplied."""
        changed = {name: getattr(self, name) * weight for name in ("outer", "straight", "bias")}
        return replace(self, **changed)

    def base(self) -> Floats:
        """Gives the link of the mean inputs, shape (width,)."""
        hidden = self._hidden((self.means @ self.inner + self.start)[None])[0]
        return np.asarray(self.means @ self.straight + hidden @ self.outer + self.bias)

    def contributions(self, slots: Slots, columns: Ints, count: int) -> Floats:
        """Gives what each column adds to the base for encoded rows, shape (n, count, width).

        `columns` gives the column of each slot. Sampled Shapley values (Castro et al. 2009) over
        orders and their reverses (Mitchell et al. 2022); they sum to the link for any order.
        """
        owner = columns[self.inputs.owners()]
        order = owner.argsort(kind="stable")
        there, first = np.unique(owner[order], return_index=True)
        weights = self.weights[order]
        maker = np.random.default_rng(0)
        drawn = [maker.permutation(count) for _ in range(ORDERS)]
        orders = np.array(drawn + [order[::-1] for order in drawn])
        off = (self.inputs.of(slots.astype(np.float64)) - self.means)[:, order]
        moved = np.zeros((len(off), count, weights.shape[1]))
        for row, found in zip(off, moved, strict=True):
            found[there] = np.add.reduceat(row[:, None] * weights, first)
        return np.stack([self._parts(row, orders) for row in moved])

    def _parts(self, moved: Floats, orders: Ints) -> Floats:
        """Shares a row's move from the mean, (columns, hidden and outputs), among the columns."""
        hidden = len(self.start)
        found = moved[:, hidden:].copy()
        begun = self.means @ self.inner + self.start
        steps = moved[:, :hidden][orders].cumsum(axis=1) + begun
        steps = np.insert(steps, 0, begun, axis=1)
        reached = self._hidden(steps.reshape(-1, hidden)) @ self.outer
        added_by = np.diff(reached.reshape(*steps.shape[:2], -1), axis=1)
        for order, added in zip(orders, added_by, strict=True):
            found[order] += added / len(orders)
        return np.asarray(found)


def swish(values: Floats) -> Floats:
    """Gives x * sigmoid(x) (Ramachandran et al. 2017), the same numbers for any shape."""
    return values / (1.0 + np.exp(-np.maximum(values, -700.0)))
