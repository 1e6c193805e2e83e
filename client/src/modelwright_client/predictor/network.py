"""A neural network of one or two hidden layers on encoded rows. Runs in the API process on numpy.

Numbers are read twice, scaled and as normal scores of their ranks; categories, and numbers of few
values where that was learnt, by one input a level.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.columns import Slots
from modelwright_client.predictor.goals import Floats

Ints = NDArray[np.int64]
TAIL = 3.0
"""A scaled number comes no further from the middle than this."""
CHUNK = 1000
"""Rows that are answered at once: their hidden units fit into the processor's cache."""
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
    width: int = field(init=False)
    """The number of inputs."""

    def __post_init__(self) -> None:
        width = 3 * len(self.smooth) + int(self.sizes.sum()) + self.steps.size
        object.__setattr__(self, "stretches", Stretches.of(self.knots, self.scores))
        object.__setattr__(self, "width", width)

    def owners(self) -> Ints:
        """Gives the slot that each input reads."""
        stepped = np.repeat(self.stepped, self.steps.shape[1])
        levels = np.repeat(self.level, self.sizes)
        return np.concatenate([np.tile(self.smooth, 3), levels, stepped])

    def of(self, slots: Floats) -> Floats:
        """Gives the inputs of encoded rows, shape (n, width)."""
        found = np.zeros((len(slots), self.width))
        count = len(self.smooth)
        value = slots.take(self.smooth, axis=1)
        gap = np.isnan(value)
        gaps = bool(gap.any())
        if gaps:
            value = np.where(gap, self.centre, value)
            found[:, 2 * count : 3 * count] = gap
        off = (value - self.centre) / self.spread
        found[:, :count] = off / np.sqrt(1.0 + np.square(off / TAIL))
        scores = self.stretches.at(value)
        found[:, count : 2 * count] = np.where(gap, 0.0, scores) if gaps else scores
        if len(self.level):
            first = 3 * count + np.cumsum(self.sizes) - self.sizes
            rows = np.arange(len(slots))[:, None]
            found[rows, first + slots.take(self.level, axis=1).astype(np.int64)] = 1.0
        if len(self.stepped):
            self._step(slots, found[:, 3 * count + int(self.sizes.sum()) :])
        return found

    def _step(self, slots: Floats, found: Floats) -> None:
        """Sets the input of the value that is nearest."""
        value = slots.take(self.stepped, axis=1)
        there = ~np.isnan(value)
        nearest = np.abs(np.where(there, value, 0.0)[:, :, None] - self.steps).argmin(axis=2)
        row, slot = np.nonzero(there)
        found[row, slot * self.steps.shape[1] + nearest[row, slot]] = 1.0


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

    def link(self, slots: Floats) -> Floats:
        """Gives the link of encoded rows, shape (n, width)."""
        if len(slots) <= CHUNK:
            return self._link(slots)
        parts = [self._link(slots[at : at + CHUNK]) for at in range(0, len(slots), CHUNK)]
        return np.concatenate(parts)

    def _link(self, slots: Floats) -> Floats:
        found = self.inputs.of(slots)
        hidden = self._hidden(found @ self.inner + self.start)
        return found @ self.straight + hidden @ self.outer + self.bias

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
        weights = np.concatenate([self.inner, self.straight], axis=1)[order]
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
