"""A neural network of one hidden layer on encoded rows. Runs in the API process: only numpy.

Numbers are read twice, scaled and as normal scores of their ranks; categories, and numbers of few
values where that was learnt, by one input a level.
"""

from dataclasses import dataclass, replace

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

    @property
    def width(self) -> int:
        """The number of inputs."""
        return 3 * len(self.smooth) + int(self.sizes.sum()) + self.steps.size

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
        off = np.where(gap, 0.0, value - self.centre) / self.spread
        found[:, :count] = off / np.sqrt(1.0 + (off / TAIL) ** 2)
        found[:, count : 2 * count] = np.where(gap, 0.0, self._scored(value))
        found[:, 2 * count : 3 * count] = gap
        rows = np.arange(len(slots))[:, None]
        first = 3 * count + np.cumsum(self.sizes) - self.sizes
        found[rows, first + slots.take(self.level, axis=1).astype(np.int64)] = 1.0
        if len(self.stepped):
            self._step(slots, found[:, 3 * count + int(self.sizes.sum()) :])
        return found

    def _scored(self, value: Floats) -> Floats:
        above = (value[:, :, None] >= self.knots).sum(axis=2)
        left = np.minimum(np.maximum(above - 1, 0), self.knots.shape[1] - 2)
        slot = np.arange(len(self.smooth))
        low, high = self.knots[slot, left], self.knots[slot, left + 1]
        known = np.isfinite(low) & np.isfinite(high)
        span = np.where(known & (high > low), high - low, 1.0)
        share = np.minimum(np.maximum((value - low) / span, 0.0), 1.0)
        begun, ended = self.scores[slot, left], self.scores[slot, left + 1]
        return np.asarray(begun + np.where(known, share, 0.0) * (ended - begun))

    def _step(self, slots: Floats, found: Floats) -> None:
        """Sets the input of the value that is nearest."""
        value = slots.take(self.stepped, axis=1)
        there = ~np.isnan(value)
        nearest = np.abs(np.where(there, value, 0.0)[:, :, None] - self.steps).argmin(axis=2)
        row, slot = np.nonzero(there)
        found[row, slot * self.steps.shape[1] + nearest[row, slot]] = 1.0


WEIGHTS = "inner", "start", "outer", "straight", "bias", "means"


@dataclass(frozen=True, slots=True)
class Network:
    """link = bias + inputs @ straight + swish(inputs @ inner + start) @ outer."""

    inputs: Inputs
    inner: Floats
    start: Floats
    outer: Floats
    straight: Floats
    bias: Floats
    means: Floats
    """The mean of each input over training rows, from which explanations start."""

    def link(self, slots: Floats) -> Floats:
        """Gives the link of encoded rows, shape (n, width)."""
        parts = [self._link(slots[at : at + CHUNK]) for at in range(0, len(slots), CHUNK)]
        return np.concatenate(parts) if len(parts) != 1 else parts[0]

    def _link(self, slots: Floats) -> Floats:
        found = self.inputs.of(slots)
        return (
            found @ self.straight + swish(found @ self.inner + self.start) @ self.outer + self.bias
        )

    def scaled(self, weight: float) -> "Network":
        """Gives the network with its link multiplied."""
        changed = {name: getattr(self, name) * weight for name in ("outer", "straight", "bias")}
        return replace(self, **changed)

    def base(self) -> Floats:
        """Gives the link of the mean inputs, shape (width,)."""
        hidden = swish(self.means @ self.inner + self.start)
        return np.asarray(self.means @ self.straight + hidden @ self.outer + self.bias)

    def contributions(self, slots: Slots, columns: Ints, count: int) -> Floats:
        """Gives what each column adds to the base for encoded rows, shape (n, count, width).

        `columns` gives the column of each slot. Sampled Shapley values (Castro et al. 2009) over
        orders and their reverses (Mitchell et al. 2022); they sum to the link for any order.
        """
        owner = columns[self.inputs.owners()]
        group = np.zeros((count, len(owner)))
        group[owner, np.arange(len(owner))] = 1.0
        maker = np.random.default_rng(0)
        drawn = [maker.permutation(count) for _ in range(ORDERS)]
        orders = np.array(drawn + [order[::-1] for order in drawn])
        off = self.inputs.of(slots.astype(np.float64)) - self.means
        return np.stack([self._parts(row, group, orders) for row in off])

    def _parts(self, off: Floats, group: Floats, orders: Ints) -> Floats:
        moved = group * off
        found = moved @ self.straight
        begun = self.means @ self.inner + self.start
        steps = (moved @ self.inner)[orders].cumsum(axis=1) + begun
        reached = swish(steps) @ self.outer
        before = np.concatenate(
            [np.broadcast_to(swish(begun) @ self.outer, reached[:, :1].shape), reached[:, :-1]],
            axis=1,
        )
        for order, added in zip(orders, reached - before, strict=True):
            found[order] += added / len(orders)
        return np.asarray(found)


def swish(values: Floats) -> Floats:
    """Gives x * sigmoid(x) (Ramachandran et al. 2017), the same numbers for any shape."""
    return values / (1.0 + np.exp(-np.maximum(values, -700.0)))
