"""A finished model: encoder, goal, trees and additive parts.

And how a raw prediction becomes an answer.

Runs in the API process: numpy, and ONNX Runtime loaded late.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from modelwright_runtime.additive import Additive, Lines
from modelwright_runtime.batch_network import Folded
from modelwright_runtime.bitsliced_forest import Tables
from modelwright_runtime.bitslices import tabled
from modelwright_runtime.columns import Features, TextColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest
from modelwright_runtime.lookup_network import Known
from modelwright_runtime.network import Network
from modelwright_runtime.objective import Floats, Objective
from modelwright_runtime.onnx_export import (
    Outputs,
    compared,
    onnx_graph,
    places,
    run_graph,
    sums,
)
from modelwright_runtime.row_reordering import RowOrder

SMOOTHING = 0.01
"""How far averaged probabilities are drawn to even odds, so that none is certain."""
OUTPUTS = ["y"]
Run = Callable[[list[str], Mapping[str, Floats], None], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Mean:
    """A forest whose trees average class probabilities; `table` has a row for each leaf.

    Above two classes its graph gives the leaf each tree reached; for two, the probability itself.
    """

    outputs: int
    weight: float
    table: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that turns features into raw predictions."""

    goal: Objective
    encoder: Encoder
    base: Floats
    means: tuple[Mean, ...]
    additive: Additive | None
    lines: Lines | None
    networks: tuple[Network, ...] = ()
    running: dict[str, bytes] = field(default_factory=dict, repr=False)
    """The graphs that are run, until they are open."""
    sessions: dict[str, Run] = field(default_factory=dict, repr=False)
    tables: Tables | None = None
    order: RowOrder | None = None
    folded: tuple[Folded, ...] = ()
    """The networks as batches go through them."""
    known: tuple[Network | Known, ...] = ()
    """The networks as single rows do."""

    @classmethod
    def of(
        cls,
        goal: Objective,
        encoder: Encoder,
        base: Floats,
        trees: tuple[Forest | None, Sequence[tuple[float, Forest]]],
        others: tuple[Additive | None, tuple[Network, ...]] = (None, ()),
    ) -> "Model":
        """Makes a model and its graphs from the forest that is added and the averaged ones."""
        (added, averaged), (additive, networks) = trees, others
        means, running = [], {}
        if added:
            running["sums"] = run_graph(added, sums(added, goal.width), encoder.width)
        for place, (weight, forest) in enumerate(averaged):
            outputs, table = _probabilities_of(goal, forest)
            means.append(Mean(outputs.width, weight, table))
            running[str(place)] = run_graph(forest, outputs, encoder.width)
        lines = Lines.of(additive) if additive else None
        parts = tuple(means), additive, lines, networks, running
        return cls(goal, encoder, base, *parts, known=tuple(map(Known.of, networks)))

    def bytes_a_row(self) -> int:
        """Estimates the memory that a row takes on its way to a raw prediction."""
        numbers = sum(mean.outputs + 3 * self.goal.classes for mean in self.means)
        tests = self.tables.asked if self.tables else 0
        numbers += sum(one.inputs.width + 2 * len(one.start) for one in self.networks)
        numbers += 6 * self.encoder.width * bool(self.sessions)
        return 24 * self.encoder.width + 8 * numbers + tests // 8

    def graphs(self, added: Forest | None, averaged: Sequence[Forest]) -> dict[str, bytes]:
        """Returns the graphs for other runtimes, by file name.

        Of the forests that it is made of.
        """
        told = {
            f"mean{at}": (one, _probabilities_of(self.goal, one)[0])
            for at, one in enumerate(averaged)
        }
        if added:
            told["sums"] = added, sums(added, self.goal.width)
        width = self.encoder.width
        return {f"{name}.onnx": onnx_graph(*parts, width) for name, parts in told.items()}

    def warm(self) -> None:
        """Opens the graphs."""
        while self.running:
            name, graph = self.running.popitem()
            self.sessions[name] = _session(graph)

    def for_batches(self, added: Forest | None, averaged: Sequence[Forest]) -> "Model":
        """Returns this model with the trees that can be in tables, and rows put in an order.

        The forests are those that the model was made from. Its graphs must be open.
        """
        tables, others = tabled(added) if added else (None, None)
        sessions = dict(self.sessions)
        if tables:
            del sessions["sums"]
            if others:
                told = sums(others, self.goal.width)
                sessions["sums"] = _session(run_graph(others, told, self.encoder.width))
        walked = [*([others] if others else []), *averaged]
        order = RowOrder.of(walked) if walked else None
        folded = tuple(Folded.of(one, self.encoder) for one in self.networks)
        return replace(self, sessions=sessions, tables=tables, order=order, folded=folded)

    def raw_prediction(self, features: Features) -> Floats:
        """Returns the raw prediction of encoded rows but for the terms of texts.

        Shape (n, width).
        """
        if self.order is None:
            return self._raw_prediction(features.astype(np.float64))
        places = self.order.places(features)
        raw_prediction = np.empty((len(features), len(self.base)))
        raw_prediction[places] = self._raw_prediction(features[places].astype(np.float64))
        return raw_prediction

    def _raw_prediction(self, wide: Floats) -> Floats:
        raw_prediction = np.zeros((len(wide), len(self.base))) + self.base
        if self.tables:
            self.tables.add(wide, raw_prediction)
        given = {"x": compared(wide)} if self.sessions else {}
        if "sums" in self.sessions:
            raw_prediction += self.sessions["sums"](OUTPUTS, given, None)[0]
        for place, mean in enumerate(self.means):
            reached = self.sessions[str(place)](OUTPUTS, given, None)[0]
            raw_prediction += mean.weight * smoothed(self.goal, self._probabilities(mean, reached))
        for network in self.folded or self.known:
            raw_prediction += network.raw_prediction(wide)
        return raw_prediction + self.lines.raw_prediction(wide) if self.lines else raw_prediction

    def _probabilities(self, mean: Mean, reached: Floats) -> Floats:
        if self.goal.task == "binary":
            return np.concatenate([1.0 - reached, reached], axis=1)
        leaves = np.ascontiguousarray(reached.T, dtype=np.int64)
        return np.asarray(mean.table.take(leaves, axis=0).sum(axis=0))

    def texts(self) -> list[tuple[TextColumn, int]]:
        """Returns the text columns whose terms have weights, and where these begin."""
        found, first = [], 0
        for column in self.encoder.columns if self.additive else ():
            if isinstance(column, TextColumn):
                found.append((column, first))
                first += len(column.words.index)
        return found

    def terms(self, column: TextColumn, first: int, texts: Sequence[Any]) -> Floats:
        """Returns what the terms of a column of texts add, shape (n, width)."""
        if self.additive is None:
            raise ValueError("only an additive part weighs terms")
        read = map(column.words.read, texts)
        added = [self.additive.of_terms(first, one.places, one.weights) for one in read]
        return np.array(added).reshape(len(texts), self.goal.width)


def _probabilities_of(goal: Objective, forest: Forest) -> tuple[Outputs, Floats]:
    """Returns what the graph of averaged trees gives, and the table that a `Mean` has."""
    if goal.task == "binary":
        return replace(sums(forest, 1), weights=forest.values[:, 1]), np.zeros((0, 2))
    return places(forest), forest.values


def smoothed(goal: Objective, probabilities: Floats) -> Floats:
    """Takes the raw prediction of a forest's probabilities, drawn a little to even odds."""
    return goal.link(probabilities * (1 - SMOOTHING) + SMOOTHING / probabilities.shape[1])


def _session(graph: bytes) -> Run:
    import onnxruntime  # noqa: PLC0415 - heavy, kept out of start-up

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    # Without the checks of the Python layer, which take as long as the trees of a small model.
    run: Run = getattr(session, "_sess", session).run
    return run
