"""Fits networks of one or two hidden layers by Adam: several side by side, served as one.

Each has its own start and its own noise, so that their mean is steadier than any of them. A
straight connection from the inputs to the raw prediction carries what is linear.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.estimators.estimator import (
    CompiledModel,
    Deadline,
    FittedModel,
    FoldData,
    Latency,
    Rows,
    Settings,
)
from modelwright.engines.automl.estimators.network_inputs import fit_inputs
from modelwright.engines.automl.estimators.targets import starting_raw_prediction, target_columns
from modelwright_runtime.network import Inputs, Network
from modelwright_runtime.objective import Objective

Reals = NDArray[np.floating[Any]]
NETWORKS, HIDDEN, DEEP = 4, 128, 64
"""How many networks, and the units of each in one hidden layer, or in each of two."""
RATE, WARM, DECAY = 0.01, 0.05, 0.01
"""The highest learning rate, the share of the steps on the way to it, the decay of weights."""
MEAN, SQUARE = 0.9, 0.98
"""How much of the mean slope and of the mean square Adam keeps at a step."""
RECENT = 10
"""Weights are averaged over about the last one in so many steps (Shamir and Zhang 2013)."""
DROP, DEEP_DROP = 0.3, 0.1
VISITS, INPUTS, PASSES = 500_000, 60, (10, 200)
"""Rows of so many inputs are visited so often in all, in so many passes at least and at most; wider
ones fewer times."""
BATCH, LARGE_BATCH, BATCHES = 32, 256, 64
"""Rows of a step at least and at most, and the fewest steps of a pass where there are more."""
LOOK, LOST, LATE = 1.2, 1.4, (10, 3)
"""The held-out loss is taken after each pass at first, then after so many times the passes; when it
is so many times the least, or so many passes and times the best one's behind, training ends."""
CELLS = 20_000_000
"""Inputs of all rows together at most; of more rows a part is learnt from."""
COST, DEEP_COST, WEIGHT_COST = 18.0, 6.0, 3e-4
"""Microseconds that one row takes, those of a second layer, and those for each weight."""
NUMBER_COST, LEVEL_COST, VALUE_COST = 0.25, 0.3, 1.2
"""Those for each number, code, and number by value that is read."""


def fit_network(
    data: FoldData,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    deadline: Deadline,
    settings: Settings,
) -> FittedModel:
    """Fits networks; `rounds` counts passes over the rows, `stepped` reads numbers by value.

    `deep` ones have two hidden layers.
    """
    inputs = fit_inputs(data, train, stepped=bool(settings.get("stepped")))
    train = train[:: max(1, len(train) * inputs.width // CELLS)]
    training = Training(data, inputs, train, settings)
    visits = settings.get("visits", VISITS) * INPUTS // max(INPUTS, inputs.width)
    passes = min(max(visits // len(train), PASSES[0]), PASSES[1])
    look = 1.0
    best, best_loss, used = training.network(), np.inf, 1
    for count in range(1, (rounds or passes) + 1):
        training.visit_all(passes, deadline)
        last = deadline.expired() or count == (rounds or passes)
        if last or (valid is not None and count >= look):
            look = max(count + 1, count * LOOK)
            found = training.network()
            loss = 0.0 if valid is None else _loss(found, data, valid)
            if loss < best_loss:
                best, best_loss, used = found, loss, count
            last = last or loss > LOST * best_loss or count >= LATE[0] + LATE[1] * used
        if last:
            break
    cost = _cost(best)
    return FittedModel(
        used,
        lambda rows: best.raw_prediction(data.features[rows].astype(np.float64)),
        lambda: CompiledModel(np.zeros(data.goal.width), network=best),
        Latency(cost, cost / 10),
    )


def _cost(network: Network) -> float:
    """Prices what is read of a row and the weights that it meets."""
    inputs = network.inputs
    met = 2 * len(inputs.smooth) + len(inputs.first)
    cost = COST + DEEP_COST * bool(len(network.middle))
    cost += WEIGHT_COST * (met * int(network.weights.shape[1]) + network.middle.size)
    cost += NUMBER_COST * len(inputs.smooth)
    return cost + LEVEL_COST * len(inputs.level) + VALUE_COST * len(inputs.stepped)


def _loss(network: Network, data: FoldData, rows: Rows) -> float:
    raw_prediction = network.raw_prediction(data.features[rows].astype(np.float64))
    return data.goal.loss(raw_prediction, data.y[rows])


class Training:
    """Networks while they learn: weights in one array, their slopes, and what Adam remembers."""

    def __init__(self, data: FoldData, inputs: Inputs, train: Rows, settings: Settings) -> None:
        goal = data.goal
        self.deep = bool(settings.get("deep"))
        self.rate = settings.get("rate", RATE)
        self.drop = settings.get("drop", DEEP_DROP if self.deep else DROP)
        self.goal, self.inputs = goal, inputs
        seen = inputs.of(data.features[train].astype(np.float64))
        self.means, self.seen = seen.mean(axis=0), seen.astype(np.float32)
        columns = target_columns(goal, data.target[train])
        self.prior, self.target = starting_raw_prediction(goal, columns), columns.astype(np.float32)
        self.maker = np.random.default_rng(data.seed)
        self.batch = min(len(train), max(BATCH, min(LARGE_BATCH, len(train) // BATCHES)))
        self.steps, self.done = len(train) // self.batch, 0
        units = DEEP if self.deep else HIDDEN
        self.shapes = [
            (inputs.width, NETWORKS * units), (NETWORKS * units,), (NETWORKS, units, goal.width),
            (inputs.width, NETWORKS * goal.width), (NETWORKS, 1, goal.width),
            *([(NETWORKS, units, units), (NETWORKS, 1, units)] if self.deep else []),
        ]  # fmt: skip
        size = sum(int(np.prod(shape)) for shape in self.shapes)
        self.weights, self.slopes, self.decay = (np.zeros(size, np.float32) for _ in range(3))
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self._begin()
        self.averaged = self.weights.copy()

    def _begin(self) -> None:
        inner, start, outer, _, bias, *deeper = self._parts(self.weights)
        active = 2 * len(self.inputs.smooth) + len(self.inputs.level) + len(self.inputs.stepped)
        used = (self.seen != 0).any(axis=0)[:, None]
        inner[:] = self.maker.normal(0.0, (2 / max(1, active)) ** 0.5, inner.shape) * used
        start[:] = self.maker.normal(0.0, 0.3, start.shape)
        outer[:] = self.maker.normal(0.0, 0.3 / outer.shape[1] ** 0.5, outer.shape)
        bias[:] = self.prior
        if deeper:
            middle, begin = deeper
            middle[:] = self.maker.normal(0.0, (2 / DEEP) ** 0.5, middle.shape)
            begin[:] = self.maker.normal(0.0, 0.3, begin.shape)
        for place in (0, 2, 3, 5)[: 3 + self.deep]:
            self._parts(self.decay)[place][:] = DECAY

    def _parts(self, flat: Reals) -> list[Reals]:
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self.shapes, strict=True)]

    def visit_all(self, passes: int, deadline: Deadline) -> None:
        """Goes once over the rows, of so many times in all, until the moment has come."""
        order = self.maker.permutation(len(self.seen))
        for at in range(self.steps):
            rows = order[at * self.batch : (at + 1) * self.batch]
            self._slope(self.seen[rows], self.target[rows])
            self.done += 1
            self._move(self.done / (passes * self.steps))
            if deadline.expired():
                return

    def _slope(self, seen: Reals, target: Reals) -> None:
        """Fills the slopes of the mean loss of some rows, each network by itself."""
        inner, start, outer, straight, bias, *deeper = self._parts(self.weights)
        to_inner, to_start, to_outer, to_straight, to_bias, *to_deeper = self._parts(self.slopes)
        first, steep = self._units(_split(seen @ inner + start))
        last, steeper = self._units(first @ deeper[0] + deeper[1]) if deeper else (first, steep)
        raw_prediction = last @ outer + _split(seen @ straight) + bias
        error = (_expected(self.goal, raw_prediction) - target) / np.float32(len(seen))
        to_outer[:] = last.transpose(0, 2, 1) @ error
        to_bias[:] = error.sum(axis=1, keepdims=True)
        to_straight[:] = seen.T @ _joined(error)
        back = (error @ outer.transpose(0, 2, 1)) * steeper
        if deeper:
            to_deeper[0][:] = first.transpose(0, 2, 1) @ back
            to_deeper[1][:] = back.sum(axis=1, keepdims=True)
            back = (back @ deeper[0].transpose(0, 2, 1)) * steep
        flat = _joined(back)
        to_inner[:] = seen.T @ flat
        to_start[:] = flat.sum(axis=0)

    def _units(self, raw: Reals) -> tuple[Reals, Reals]:
        """Returns hidden units, some of them dropped, and how steep they are."""
        gate = 1 / (1 + np.exp(-np.clip(raw, -30, 30)))
        kept = (self.maker.random(raw.shape, np.float32) >= self.drop) / np.float32(1 - self.drop)
        return raw * gate * kept, kept * gate * (1 + raw * (1 - gate))

    def _move(self, share: float) -> None:
        """Takes a step of Adam with decay (Loshchilov 2019); `share` is how much is done."""
        rate = self.rate * min(1.0, share / WARM) * (1 + math.cos(math.pi * min(1.0, share))) / 2
        self.mean += (1 - MEAN) * (self.slopes - self.mean)
        self.square += (1 - SQUARE) * (self.slopes**2 - self.square)
        mean = self.mean / (1 - MEAN**self.done)
        square = self.square / (1 - SQUARE**self.done)
        self.weights -= rate * (self.decay * self.weights + mean / (np.sqrt(square) + 1e-8))
        self.averaged += RECENT / (self.done + RECENT) * (self.weights - self.averaged)

    def network(self) -> Network:
        """Returns the mean of the networks as one."""
        parts = [part.astype(np.float64) for part in self._parts(self.averaged)]
        inner, start, outer, straight, bias, *deeper = parts
        middle, begin = deeper or (np.zeros((0, 0, 0)),) * 2
        straight = straight.reshape(len(straight), NETWORKS, -1).mean(axis=1)
        outer = outer.reshape(-1, self.goal.width) / NETWORKS
        bias = bias.mean(axis=(0, 1))
        return Network(self.inputs, inner, start, outer, straight, bias, self.means, middle, begin)


def _split(joined: Reals) -> Reals:
    """Returns (networks, rows, each) of (rows, networks * each)."""
    return joined.reshape(len(joined), NETWORKS, -1).transpose(1, 0, 2)


def _joined(split: Reals) -> Reals:
    return split.transpose(1, 0, 2).reshape(split.shape[1], -1)


def _expected(goal: Objective, raw_prediction: Reals) -> Reals:
    """Returns the means that raw predictions stand for, of all networks."""
    if goal.task == "regression":
        return raw_prediction
    if goal.task == "binary":
        return 1 / (1 + np.exp(-np.clip(raw_prediction, -30, 30)))
    raised = np.exp(raw_prediction - raw_prediction.max(axis=2, keepdims=True))
    return np.asarray(raised / raised.sum(axis=2, keepdims=True))
