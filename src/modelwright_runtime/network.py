"""A neural network of one or two hidden layers on encoded rows. Runs in the API process on numpy.

Numbers are read twice, scaled and as normal scores of their ranks; categories, and numbers of few
values where that was learnt, by one input a level.
"""

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from math import isnan

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.columns import Features
from modelwright_runtime.forest import Ints
from modelwright_runtime.objective import Floats
from modelwright_runtime.piecewise_linear import (
    MAX_SCALED,
    PiecewiseLinear,
    Segments,
    numbers_of_one,
    segments_of,
)

CHUNK_ROWS = 128
"""Rows that are answered at once: their hidden units fit into the processor's cache."""
SHAPLEY_ORDERS = 4
"""Orders of the columns, and as many reversed, that a Shapley value is the mean of."""


INPUTS = (
    "smooth", "centre", "spread", "knots", "scores", "level", "sizes", "stepped", "steps"
)  # fmt: skip
WEIGHTS = "inner", "start", "outer", "straight", "bias", "means"
DEEPER = "middle", "begin"


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a network reads of features: scaled numbers, their scores, gaps, then levels.

    `knots`, `scores` (smooth, most knots) and `steps` (stepped, most values) are padded, with the
    last score and with infinity. A stepped feature has an input for each of its values.
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
    piecewise: PiecewiseLinear = field(init=False, repr=False)
    segments: tuple[Segments, ...] = field(init=False, repr=False)
    """Of each smooth feature, where they are few."""
    first: Ints = field(init=False, repr=False)
    """The first input of each code, then of each stepped feature."""
    values: tuple[tuple[int, list[float]], ...] = field(init=False, repr=False)
    """Of each stepped feature, its first input and its values."""
    width: int = field(init=False)
    """The number of inputs."""

    def __post_init__(self) -> None:
        sizes = [*self.sizes.tolist(), *[self.steps.shape[1]] * len(self.stepped)]
        ends = 3 * len(self.smooth) + np.cumsum(np.array([0, *sizes], dtype=np.int64))
        object.__setattr__(self, "piecewise", PiecewiseLinear.of(self.knots, self.scores))
        object.__setattr__(self, "segments", segments_of(self.piecewise, self.centre, self.spread))
        object.__setattr__(self, "first", ends[:-1])
        steps = np.pad(self.steps, [(0, 0), (0, 1)], constant_values=np.inf).tolist()
        values = tuple(zip(ends[len(self.sizes) : -1].tolist(), steps, strict=True))
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "width", int(ends[-1]))

    def owners(self) -> Ints:
        """Returns the feature that each input reads.

        Returns:
            Numbers of features, shape (width,).
        """
        stepped = np.repeat(self.stepped, self.steps.shape[1])
        levels = np.repeat(self.level, self.sizes)
        return np.concatenate([np.tile(self.smooth, 3), levels, stepped])

    def of(self, features: Floats) -> Floats:
        """Returns the inputs of encoded rows, shape (n, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Inputs, float64.
        """
        numbers = self.numbers(features)
        found = np.zeros((len(features), self.width + 1))
        found[:, : numbers.shape[1]] = numbers
        found[np.arange(len(features))[:, None], self.ones(features)] = 1.0
        return found[:, :-1]

    def numbers(self, features: Floats) -> Floats:
        """Returns the first inputs: scaled numbers, scores, and gaps unless there are none.

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Shape (n, 2 or 3 times the numbers).
        """
        count = len(self.smooth)
        value = features.take(self.smooth, axis=1)
        if self.segments and len(features) == 1:
            return numbers_of_one(self.segments, value[0].tolist())
        gap = np.isnan(value)
        gaps = bool(gap.any())
        found = np.empty((len(features), (2 + gaps) * count))
        if gaps:
            value = np.where(gap, self.centre, value)
            found[:, 2 * count :] = gap
        off = (value - self.centre) / self.spread
        found[:, :count] = off / np.sqrt(1.0 + np.square(off / MAX_SCALED))
        scores = self.piecewise.at(value)
        found[:, count : 2 * count] = np.where(gap, 0.0, scores) if gaps else scores
        return found

    def ones(self, features: Floats) -> Ints:
        """Returns which of the other inputs are 1, shape (n, codes and stepped).

        `width` is none.

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Numbers of inputs.
        """
        codes = features.take(self.level, axis=1).astype(np.int64)
        if not len(self.stepped):
            return np.asarray(self.first + codes)
        value = features.take(self.stepped, axis=1)
        if len(features) == 1:
            codes += self.first[: len(self.level)]
            nearest = map(self._nearest, value[0].tolist(), self.values)
            return np.array([[*codes[0].tolist(), *nearest]])
        gap = np.isnan(value)
        away = np.abs(np.where(gap, 0.0, value)[:, :, None] - self.steps)
        found: Ints = self.first + np.concatenate([codes, away.argmin(axis=2)], axis=1)
        found[:, len(self.level) :][gap] = self.width
        return found

    def _nearest(self, value: float, known: tuple[int, list[float]]) -> int:
        """Returns the input of the value that is nearest, as `ones` does; `width` for a gap."""
        if isnan(value):
            return self.width
        first, values = known
        at = bisect_left(values, value, 1, len(values) - 1)
        return first + at - (value - values[at - 1] <= values[at] - value)


@dataclass(frozen=True, slots=True)
class Network:
    """raw prediction = bias + inputs @ straight + hidden @ outer.

    Hidden = _swish(inputs @ inner + start).

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

    def raw_prediction(self, features: Floats) -> Floats:
        """Returns the raw prediction of encoded rows, shape (n, width).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Raw predictions, float64.
        """
        if len(features) <= CHUNK_ROWS:
            return self._raw_prediction(features)
        parts = [
            self._raw_prediction(features[at : at + CHUNK_ROWS])
            for at in range(0, len(features), CHUNK_ROWS)
        ]
        return np.concatenate(parts)

    def _raw_prediction(self, features: Floats) -> Floats:
        return self.from_sums(self.raw(features))

    def raw(self, features: Floats) -> Floats:
        """Returns what the inputs of encoded rows add, shape (n, hidden and outputs).

        Args:
            features: Encoded rows, shape (n, features).

        Returns:
            Shape (n, units + width).
        """
        numbers = self.inputs.numbers(features)
        found = numbers @ self.weights[: numbers.shape[1]]
        if len(self.inputs.first):
            ones = self.inputs.ones(features)
            if len(features) == 1:
                found += self.weights.take(ones[0], axis=0).sum(axis=0)
            else:
                for places in ones.T:
                    found += self.weights.take(places, axis=0)
        return np.asarray(found)

    def from_sums(self, raw: Floats) -> Floats:
        """Returns the raw prediction of what inputs add, shape (n, width).

        Args:
            raw: What `raw` gave, shape (n, units + width).

        Returns:
            Raw predictions, float64.
        """
        units = len(self.start)
        hidden = self._hidden(raw[:, :units] + self.start)
        return raw[:, units:] + hidden @ self.outer + self.bias

    def _hidden(self, raw: Floats) -> Floats:
        """Returns the last hidden units, shape (n, last units)."""
        hidden = _swish(raw)
        if not len(self.middle):
            return hidden
        networks, units, last = self.middle.shape
        split = hidden.reshape(len(raw), networks, units).transpose(1, 0, 2)
        deeper = _swish(split @ self.middle + self.begin)
        return np.asarray(deeper.transpose(1, 0, 2).reshape(len(raw), networks * last))

    def scaled(self, weight: float) -> "Network":
        """Returns the network with its raw prediction multiplied.

        Args:
            weight: What its raw prediction is multiplied by.

        Returns:
            A copy.
        """
        changed = {name: getattr(self, name) * weight for name in ("outer", "straight", "bias")}
        return replace(self, **changed)

    def base(self) -> Floats:
        """Returns the raw prediction of the mean inputs, shape (width,).

        Returns:
            What contributions start from.
        """
        hidden = self._hidden((self.means @ self.inner + self.start)[None])[0]
        return np.asarray(self.means @ self.straight + hidden @ self.outer + self.bias)

    def contributions(self, features: Features, columns: Ints, count: int) -> Floats:
        """Returns what each column adds to the base for encoded rows, shape (n, count, width).

        `columns` gives the column of each feature. Sampled Shapley values (Castro et al. 2009)
        over orders and their reverses (Mitchell et al. 2022); they sum to the raw prediction for
        any order.

        Args:
            features: Encoded rows, shape (n, features).
            columns: The column of each feature, shape (features,).
            count: How many columns there are.

        Returns:
            Contributions, float64.
        """
        owner = columns[self.inputs.owners()]
        order = owner.argsort(kind="stable")
        there, first = np.unique(owner[order], return_index=True)
        weights = self.weights[order]
        maker = np.random.default_rng(0)
        drawn = [maker.permutation(count) for _ in range(SHAPLEY_ORDERS)]
        orders = np.array(drawn + [order[::-1] for order in drawn])
        off = (self.inputs.of(features.astype(np.float64)) - self.means)[:, order]
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


def _swish(values: Floats) -> Floats:
    """Returns x * sigmoid(x) (Ramachandran et al. 2017), the same numbers for any shape.

    Args:
        values: Any shape.

    Returns:
        The same shape.
    """
    return values / (1.0 + np.exp(-np.maximum(values, -700.0)))


def only(network: Network, left: NDArray[np.bool_]) -> Network:
    """Returns a network of some of the inputs: whole features, codes and stepped features.

    Args:
        network: The network.
        left: Which inputs are kept, shape (width,).

    Returns:
        A network of them.
    """
    inputs, firsts = network.inputs, network.inputs.first
    count, levels = len(inputs.smooth), len(inputs.level)
    smooth, level, stepped = left[:count], left[firsts[:levels]], left[firsts[levels:]]
    some = Inputs(
        inputs.smooth[smooth], inputs.centre[smooth], inputs.spread[smooth],
        inputs.knots[smooth], inputs.scores[smooth],
        inputs.level[level], inputs.sizes[level], inputs.stepped[stepped], inputs.steps[stepped],
    )  # fmt: skip
    cut = {name: getattr(network, name)[left] for name in ("inner", "straight", "means")}
    return replace(network, inputs=some, **cut)
