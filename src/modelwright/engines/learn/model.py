"""A finished model: encoder, goal, trees and additive parts, and how a link becomes an answer.

Runs in the API process: numpy, and ONNX Runtime loaded late.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modelwright.engines.learn.additive import Additive
from modelwright.engines.learn.columns import Encoder, Slots, TextColumn
from modelwright.engines.learn.goals import Floats, Goal

SMOOTHING = 0.01


@dataclass(frozen=True, slots=True)
class Mean:
    """A forest whose trees average class probabilities; `table` has a row for each leaf.

    Above two classes its graph gives the leaf each tree reached; for two, the probability itself.
    """

    graph: bytes
    weight: float
    table: Floats


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that turns slots into links."""

    goal: Goal
    encoder: Encoder
    base: Floats
    sums: bytes | None
    means: tuple[Mean, ...]
    additive: Additive | None
    sessions: dict[str, Any] = field(default_factory=dict, repr=False)

    def warm(self) -> None:
        """Opens the graphs."""
        if self.sums:
            self.sessions["sums"] = _session(self.sums)
        for place, mean in enumerate(self.means):
            self.sessions[str(place)] = _session(mean.graph)

    def link(self, slots: Slots) -> Floats:
        """Gives the link of encoded rows but for the terms of texts, shape (n, width)."""
        wide = slots.astype(np.float64)
        link = np.broadcast_to(self.base, (len(slots), len(self.base)))
        if self.sums:
            link = link + self.sessions["sums"].run(None, {"x": wide})[0]
        for place, mean in enumerate(self.means):
            reached = self.sessions[str(place)].run(None, {"x": wide})[0]
            link = link + mean.weight * smoothed(self.goal, self._chances(mean, reached))
        return link + self.additive.link(slots) if self.additive else np.array(link)

    def _chances(self, mean: Mean, reached: Floats) -> Floats:
        if self.goal.task == "binary":
            return np.concatenate([1.0 - reached, reached], axis=1)
        found = mean.table[reached.astype(np.int64)].transpose(0, 2, 1)
        return np.asarray(np.ascontiguousarray(found).sum(axis=2))

    def texts(self) -> list[tuple[TextColumn, int]]:
        """Gives the text columns whose terms have weights, and where these begin."""
        found, first = [], 0
        for column in self.encoder.columns if self.additive else ():
            if isinstance(column, TextColumn):
                found.append((column, first))
                first += len(column.words.index)
        return found

    def terms(self, column: TextColumn, first: int, texts: Sequence[Any]) -> Floats:
        """Gives what the terms of a column of texts add, shape (n, width)."""
        if self.additive is None:
            raise ValueError("only an additive part weighs terms")
        weigh, add = column.words.weigh, self.additive.of_terms
        return np.array([add(first, *weigh(text or "")) for text in texts])


def smoothed(goal: Goal, chances: Floats) -> Floats:
    """Takes the link of a forest's probabilities, drawn a little to even odds."""
    return goal.link_of(chances * (1 - SMOOTHING) + SMOOTHING / chances.shape[1])


def _session(graph: bytes) -> Any:
    import onnxruntime  # noqa: PLC0415 - heavy, kept out of start-up

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
