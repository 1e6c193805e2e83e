"""Fits networks of one or two hidden layers by Adam: several side by side, served as one.

Each has its own start and its own noise, so that their mean is steadier than any of them. A
straight connection from the inputs to the raw prediction carries what is linear.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest, Settings
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.estimators.network_inputs import fit_inputs
from modelwright.engines.automl.estimators.targets import starting_raw_prediction, target_columns
from modelwright_runtime.components.neural_network import NeuralNetwork
from modelwright_runtime.network import Inputs, Network
from modelwright_runtime.objective import Objective

Reals = NDArray[np.floating[Any]]
N_NETWORKS = 4
"""Networks that learn side by side."""
HIDDEN_UNITS = 128
"""Units of each in one hidden layer."""
DEEP_UNITS = 64
"""Units of each in either of two hidden layers."""
LEARNING_RATE = 0.01
"""The highest learning rate."""
WARM_UP_SHARE = 0.05
"""The share of the steps on the way to it."""
WEIGHT_DECAY = 0.01
"""The decay of weights at a step, as a share of the learning rate."""
ADAM_MEAN = 0.9
"""How much of the mean slope Adam keeps at a step."""
ADAM_SQUARE = 0.98
"""How much of the mean square Adam keeps at a step."""
AVERAGED_SHARE = 10
"""Weights are averaged over about the last one in so many steps (Shamir and Zhang 2013)."""
DROPOUT = 0.3
"""Hidden units that are dropped at a step, in one layer."""
DEEP_DROPOUT = 0.1
"""The same in two layers."""
MAX_VISITS = 500_000
"""Rows of so many inputs are visited so often in all; wider ones fewer times."""
TYPICAL_INPUTS = 60
"""The inputs of such a row."""
MIN_PASSES = 10
"""Passes over the rows at least."""
MAX_PASSES = 200
"""Passes over the rows at most."""
MIN_BATCH = 32
"""Rows of a step at least."""
MAX_BATCH = 256
"""Rows of a step at most."""
MIN_BATCHES = 64
"""Steps of a pass at least, where there are more rows."""
LOOK_FACTOR = 1.2
"""The held-out loss is taken after each pass at first, then after so many times the passes."""
LOST_RATIO = 1.4
"""Training ends when it is so many times the least."""
PATIENCE_PASSES = 10
"""Passes that training goes on after the best one before it ends, besides `PATIENCE_FACTOR`."""
PATIENCE_FACTOR = 3
"""It ends at so many times the passes of the best one and `PATIENCE_PASSES` more."""
MAX_CELLS = 20_000_000
"""Inputs of all rows together at most; of more rows a part is learnt from."""
MAX_FEATURES_NETWORK = 300
"""More features than this are too many for a network."""
LATENCY_US = 18.0
"""Microseconds that one row takes."""
DEEP_LATENCY_US = 6.0
"""Microseconds more of a second layer."""
WEIGHT_LATENCY_US = 3e-4
"""Microseconds more for each weight."""
NUMBER_LATENCY_US = 0.25
"""Microseconds more for each number that is read."""
LEVEL_LATENCY_US = 0.3
"""Microseconds more for each code that is read."""
VALUE_LATENCY_US = 1.2
"""Microseconds more for each number that is read by value."""


def fit_network(request: FitRequest) -> FittedModel:
    """Fits networks; `rounds` counts passes over the rows, `stepped` reads numbers by value.

    `deep` ones have two hidden layers.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    data, train, valid = request.data, request.train, request.valid
    rounds, settings, deadline = request.rounds, request.settings, request.deadline
    inputs = fit_inputs(data, train, stepped=bool(settings.get("stepped")))
    train = train[:: max(1, len(train) * inputs.width // MAX_CELLS)]
    training = Training(data, inputs, train, settings)
    visits = (
        settings.get("visits", MAX_VISITS) * TYPICAL_INPUTS // max(TYPICAL_INPUTS, inputs.width)
    )
    passes = min(max(visits // len(train), MIN_PASSES), MAX_PASSES)
    look = 1.0
    best, best_loss, used = training.network(), np.inf, 1
    for count in range(1, (rounds or passes) + 1):
        training.visit_all(passes, deadline)
        last = deadline.expired() or count == (rounds or passes)
        if last or (valid is not None and count >= look):
            look = max(count + 1, count * LOOK_FACTOR)
            found = training.network()
            loss = 0.0 if valid is None else _loss(found, data, valid)
            if loss < best_loss:
                best, best_loss, used = found, loss, count
            is_lost = loss > LOST_RATIO * best_loss
            last = last or is_lost or count >= PATIENCE_PASSES + PATIENCE_FACTOR * used
        if last:
            break
    cost = _cost(best)
    return FittedModel(
        used,
        lambda rows: best.raw_prediction(data.features[rows].astype(np.float64)),
        lambda: CompiledModel(np.zeros(data.goal.width), (NeuralNetwork(best),)),
        Latency(cost, cost / 10),
    )


def _cost(network: Network) -> float:
    """Prices what is read of a row and the weights that it meets."""
    inputs = network.inputs
    met = 2 * len(inputs.smooth) + len(inputs.first)
    cost = LATENCY_US + DEEP_LATENCY_US * bool(len(network.middle))
    cost += WEIGHT_LATENCY_US * (met * int(network.weights.shape[1]) + network.middle.size)
    cost += NUMBER_LATENCY_US * len(inputs.smooth)
    return cost + LEVEL_LATENCY_US * len(inputs.level) + VALUE_LATENCY_US * len(inputs.stepped)


def _loss(network: Network, data: FoldData, rows: Rows) -> float:
    raw_prediction = network.raw_prediction(data.features[rows].astype(np.float64))
    return data.goal.loss(raw_prediction, data.y[rows])


class Training:
    """Networks while they learn: weights in one array, their slopes, and what Adam remembers."""

    def __init__(self, data: FoldData, inputs: Inputs, train: Rows, settings: Settings) -> None:
        goal = data.goal
        self.deep = bool(settings.get("deep"))
        self.rate = settings.get("rate", LEARNING_RATE)
        self.drop = settings.get("drop", DEEP_DROPOUT if self.deep else DROPOUT)
        self.goal, self.inputs = goal, inputs
        seen = inputs.of(data.features[train].astype(np.float64))
        self.means, self.seen = seen.mean(axis=0), seen.astype(np.float32)
        columns = target_columns(goal, data.target[train])
        self.prior, self.target = starting_raw_prediction(goal, columns), columns.astype(np.float32)
        self.maker = np.random.default_rng(data.seed)
        self.row_weights = data.weights_of(train)
        self.batch = min(len(train), max(MIN_BATCH, min(MAX_BATCH, len(train) // MIN_BATCHES)))
        self.steps, self.done = len(train) // self.batch, 0
        units = DEEP_UNITS if self.deep else HIDDEN_UNITS
        self.shapes = [
            (inputs.width, N_NETWORKS * units), (N_NETWORKS * units,),
            (N_NETWORKS, units, goal.width),
            (inputs.width, N_NETWORKS * goal.width), (N_NETWORKS, 1, goal.width),
            *([(N_NETWORKS, units, units), (N_NETWORKS, 1, units)] if self.deep else []),
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
            middle[:] = self.maker.normal(0.0, (2 / DEEP_UNITS) ** 0.5, middle.shape)
            begin[:] = self.maker.normal(0.0, 0.3, begin.shape)
        for place in (0, 2, 3, 5)[: 3 + self.deep]:
            self._parts(self.decay)[place][:] = WEIGHT_DECAY

    def _parts(self, flat: Reals) -> list[Reals]:
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self.shapes, strict=True)]

    def visit_all(self, passes: int, deadline: Deadline) -> None:
        """Goes once over the rows, of so many times in all, until the moment has come.

        Args:
            passes: How many times in all.
            deadline: When the training ends, whatever it has.
        """
        order = self.maker.permutation(len(self.seen))
        for at in range(self.steps):
            rows = order[at * self.batch : (at + 1) * self.batch]
            weights = None if self.row_weights is None else self.row_weights[rows]
            self._slope(self.seen[rows], self.target[rows], weights)
            self.done += 1
            self._move(self.done / (passes * self.steps))
            if deadline.expired():
                return

    def _slope(self, seen: Reals, target: Reals, weights: Reals | None = None) -> None:
        """Fills the slopes of the mean loss of some rows, each network by itself."""
        inner, start, outer, straight, bias, *deeper = self._parts(self.weights)
        to_inner, to_start, to_outer, to_straight, to_bias, *to_deeper = self._parts(self.slopes)
        first, steep = self._units(_split(seen @ inner + start))
        last, steeper = self._units(first @ deeper[0] + deeper[1]) if deeper else (first, steep)
        raw_prediction = last @ outer + _split(seen @ straight) + bias
        error = (_expected(self.goal, raw_prediction) - target) / np.float32(len(seen))
        if weights is not None:
            error = error * weights[:, None].astype(np.float32)
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
        rate = (
            self.rate
            * min(1.0, share / WARM_UP_SHARE)
            * (1 + math.cos(math.pi * min(1.0, share)))
            / 2
        )
        self.mean += (1 - ADAM_MEAN) * (self.slopes - self.mean)
        self.square += (1 - ADAM_SQUARE) * (self.slopes**2 - self.square)
        mean = self.mean / (1 - ADAM_MEAN**self.done)
        square = self.square / (1 - ADAM_SQUARE**self.done)
        self.weights -= rate * (self.decay * self.weights + mean / (np.sqrt(square) + 1e-8))
        self.averaged += (
            AVERAGED_SHARE / (self.done + AVERAGED_SHARE) * (self.weights - self.averaged)
        )

    def network(self) -> Network:
        """Returns the mean of the networks as one.

        Returns:
            One network.
        """
        parts = [part.astype(np.float64) for part in self._parts(self.averaged)]
        inner, start, outer, straight, bias, *deeper = parts
        middle, begin = deeper or (np.zeros((0, 0, 0)),) * 2
        straight = straight.reshape(len(straight), N_NETWORKS, -1).mean(axis=1)
        outer = outer.reshape(-1, self.goal.width) / N_NETWORKS
        bias = bias.mean(axis=(0, 1))
        return Network(self.inputs, inner, start, outer, straight, bias, self.means, middle, begin)


def _split(joined: Reals) -> Reals:
    """Returns (networks, rows, each) of (rows, networks * each)."""
    return joined.reshape(len(joined), N_NETWORKS, -1).transpose(1, 0, 2)


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


def _entries(table: TableShape) -> list[Entry]:
    if len(table.kinds) > MAX_FEATURES_NETWORK:
        return []
    found = [
        Entry(60, "Network"),
        Entry(61, "Network deep", {"deep": True}),
        Entry(150, "Network by value", {"stepped": True}),
    ]
    if table.has_many_classes:
        return found[:1]
    return found[:2] if table.is_slow else found


register(
    Family(
        "Network",
        fit_network,
        _entries,
        {
            "drop": (0.1, 0.2, 0.3, 0.45),
            "rate": (0.004, 0.007, 0.01, 0.02),
            "visits": (200_000, 500_000, 1_000_000),
        },
    )
)
