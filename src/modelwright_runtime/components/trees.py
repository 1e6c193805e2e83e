"""Trees of any library: forests whose leaves are added, and those whose leaves are averaged.

LightGBM, XGBoost, CatBoost and scikit-learn are needed to learn and not to answer: their trees are
all the same here.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from modelwright_runtime import OLDEST_FORMAT
from modelwright_runtime.archive import Arrays
from modelwright_runtime.bitsliced_forest import BitslicedForest
from modelwright_runtime.bitslices import build_bitslices
from modelwright_runtime.components.component import ArraysUnder, Component, Json, Stored, register
from modelwright_runtime.components.evaluation import (
    NUMBER_BYTES,
    EncodedRows,
    Evaluator,
    ExplainedRows,
)
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest, PackedForest, check, join
from modelwright_runtime.objective import Floats, Objective
from modelwright_runtime.onnx_export import Outputs, onnx_graph, places, run_graph, sums
from modelwright_runtime.onnx_session import OUTPUTS, open_graph
from modelwright_runtime.path_attribution import PathAttribution
from modelwright_runtime.shapley_exact import ExactShapley, rescaled

SMOOTHING = 0.01
"""How far averaged probabilities are drawn to even odds, so that none is certain."""
MAX_EXACT_LEAVES = 2000
"""Shapley values visit every leaf; a forest of more leaves than this is explained by its paths."""


@dataclass(slots=True, eq=False)
class Trees(Component):
    """A forest, which explanations and batches alone need again once it answers rows."""

    trees: Forest | PackedForest
    _opened: Evaluator | None = field(default=None, init=False, repr=False)
    """How single rows are answered, once one was answered."""
    _unfolded: ExactShapley | PathAttribution | None = field(default=None, init=False, repr=False)
    """The forest as explanations need it, once one was wanted."""

    format: ClassVar[int] = OLDEST_FORMAT

    @property
    def forest(self) -> Forest:
        """The forest, unpacked if need be."""
        return self.trees if isinstance(self.trees, Forest) else self.trees.forest

    def evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Walks each row through all trees, by a graph of ONNX Runtime."""
        if self._opened is None:
            self._opened = self._walking(goal, encoder)
            if isinstance(self.trees, PackedForest):
                self.trees.forget()
        return self._opened

    @abstractmethod
    def _walking(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Opens the graph of the forest."""

    @abstractmethod
    def _outputs(self, goal: Objective) -> int:
        """Returns how many numbers the forest gives."""

    def _explained(self, rows: ExplainedRows) -> ExactShapley | PathAttribution:
        """Returns the forest as explanations need it, which takes a while to make."""
        if self._unfolded is None:
            forest, outputs = self.forest, self._outputs(rows.goal)
            is_small = len(forest.values) <= MAX_EXACT_LEAVES
            self._unfolded = (ExactShapley if is_small else PathAttribution).of(
                forest, rows.owners.tolist(), outputs
            )
        return self._unfolded

    def to_arrays(self) -> tuple[Json, Arrays]:
        """Returns the arrays of the forest, integers narrowed."""
        forest = self.forest
        return {}, {one.name: _narrow(getattr(forest, one.name)) for one in fields(Forest)}

    @classmethod
    def _restored(cls, place: int, stored: Stored) -> PackedForest:
        arrays = ArraysUnder(str(place), stored.trees)
        return PackedForest(stored.packed_trees, place, Forest.of(arrays))


@register
@dataclass(slots=True, eq=False)
class SummedTrees(Trees):
    """Trees whose leaves are added to the raw prediction, as boosting grows them."""

    kind: ClassVar[str] = "sums"
    position: ClassVar[int] = 10

    def batch_evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Looks rows up in tables of the trees that can be in some, and walks the others."""
        forest = self.forest
        tables, others = build_bitslices(forest)
        if tables is None:
            return replace(self.evaluator(goal, encoder), walked=(forest,))
        return _bitsliced(
            tables, None if others is None else _summing(others, goal, encoder), others
        )

    def _walking(self, goal: Objective, encoder: Encoder) -> Evaluator:
        return _summing(self.forest, goal, encoder)

    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        """Adds the Shapley values of the trees, or what their paths give where they are many."""
        found = self._explained(rows)
        parts += found.contributions(rows.features, rows.count)
        return found.start

    def scaled(self, weight: float) -> Self:
        """Returns the trees with their leaves multiplied."""
        return replace(self, trees=self.forest.scaled(weight))

    @classmethod
    def merged(cls, components: Sequence[Self]) -> list[Self]:
        """Puts all trees into one forest."""
        return [cls(join(one.forest for one in components))] if components else []

    def graphs(self, goal: Objective, encoder: Encoder, place: int) -> dict[str, bytes]:
        """Returns the graph of the trees."""
        del place
        forest = self.forest
        return {"sums.onnx": onnx_graph(forest, sums(forest, goal.width), encoder.width)}

    def _outputs(self, goal: Objective) -> int:
        return goal.width

    @classmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        """Makes one of the arrays of a forest; refuses (`ValueError`) what are no such trees."""
        del document
        forest = Forest.of(arrays)
        check(forest, encoder.width, 1, goal.width)
        return cls(forest)

    @classmethod
    def store(cls, components: Sequence[Self], stored: Stored) -> None:
        """Writes the forest as the first of `trees.npz`."""
        for component in components:
            stored.trees |= _under(0, component.to_arrays()[1])

    @classmethod
    def restore(cls, stored: Stored, goal: Objective, encoder: Encoder) -> list[Self]:
        """Reads the first forest of `trees.npz`, if it is there."""
        found = [cls(cls._restored(place, stored)) for place in _places(stored) if place == 0]
        for one in found:
            check(one.forest, encoder.width, 1, goal.width)
        return found


@register
@dataclass(slots=True, eq=False)
class AveragedTrees(Trees):
    """Trees that average class probabilities, whose link is added to the raw prediction."""

    weight: float = 1.0
    """What the link is multiplied by."""

    kind: ClassVar[str] = "means"
    position: ClassVar[int] = 20

    def batch_evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Walks rows as it does single ones."""
        return replace(self.evaluator(goal, encoder), walked=(self.forest,))

    def _walking(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Opens a graph that gives the probability, of more than two classes the leaves reached."""
        weight = self.weight
        outputs, table = _probabilities_of(goal, self.forest)
        run = open_graph(run_graph(self.forest, outputs, encoder.width))

        def add_two(rows: EncodedRows, total: Floats) -> None:
            reached = run(OUTPUTS, rows.compared(), None)[0]
            total += weight * smoothed(goal, np.concatenate([1.0 - reached, reached], axis=1))

        def add(rows: EncodedRows, total: Floats) -> None:
            reached = run(OUTPUTS, rows.compared(), None)[0]
            leaves = np.ascontiguousarray(reached.T, dtype=np.int64)
            total += weight * smoothed(goal, np.asarray(table.take(leaves, axis=0).sum(axis=0)))

        numbers = outputs.width + 3 * goal.classes
        return Evaluator(
            add_two if goal.task == "binary" else add, NUMBER_BYTES * numbers, is_compared=True
        )

    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        """Adds contributions to the probabilities, carried over to the raw prediction."""
        found, is_binary = self._explained(rows), rows.goal.task == "binary"
        own = found.contributions(rows.features, rows.count)
        end = found.start + own.sum(axis=1)
        before = smoothed(rows.goal, found.start[None])[0]
        after = smoothed(rows.goal, end)
        parts += self.weight * rescaled(own[:, :, 1:] if is_binary else own, before, after)
        return np.asarray(self.weight * before)

    def scaled(self, weight: float) -> Self:
        """Returns the trees with their weight multiplied."""
        return replace(self, weight=self.weight * weight)

    def graphs(self, goal: Objective, encoder: Encoder, place: int) -> dict[str, bytes]:
        """Returns the graph of the trees."""
        outputs, _ = _probabilities_of(goal, self.forest)
        return {f"mean{place}.onnx": onnx_graph(self.forest, outputs, encoder.width)}

    def _outputs(self, goal: Objective) -> int:
        return goal.classes

    def to_arrays(self) -> tuple[Json, Arrays]:
        """Returns the weight and the arrays of the forest."""
        return {"weight": self.weight}, Trees.to_arrays(self)[1]

    @classmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        """Makes one of the arrays of a forest; refuses (`ValueError`) what are no such trees."""
        forest = Forest.of(arrays)
        check(forest, encoder.width, goal.classes, 1)
        return cls(forest, float(document["weight"]))

    @classmethod
    def store(cls, components: Sequence[Self], stored: Stored) -> None:
        """Writes the forests behind the first of `trees.npz`, and their weights as `means`."""
        stored.document["means"] = []
        for place, component in enumerate(components, 1):
            document, arrays = component.to_arrays()
            stored.document["means"].append(document["weight"])
            stored.trees |= _under(place, arrays)

    @classmethod
    def restore(cls, stored: Stored, goal: Objective, encoder: Encoder) -> list[Self]:
        """Reads the forests behind the first of `trees.npz`."""
        own = [place for place in _places(stored) if place > 0]
        found = [
            cls(cls._restored(place, stored), float(weight))
            for place, weight in zip(own, stored.document["means"], strict=True)
        ]
        for one in found:
            check(one.forest, encoder.width, goal.classes, 1)
        return found


def smoothed(goal: Objective, probabilities: Floats) -> Floats:
    """Takes the link of a forest's probabilities, drawn a little to even odds.

    Args:
        goal: The task.
        probabilities: Shape (n, classes).

    Returns:
        Raw predictions, shape (n, outputs), none of them infinite.
    """
    return goal.link(probabilities * (1 - SMOOTHING) + SMOOTHING / probabilities.shape[1])


def _summing(forest: Forest, goal: Objective, encoder: Encoder) -> Evaluator:
    """Opens the graph of a forest whose leaves are added."""
    run = open_graph(run_graph(forest, sums(forest, goal.width), encoder.width))

    def add(rows: EncodedRows, total: Floats) -> None:
        total += run(OUTPUTS, rows.compared(), None)[0]

    return Evaluator(add, is_compared=True)


def _bitsliced(
    tables: BitslicedForest, walking: Evaluator | None, others: Forest | None
) -> Evaluator:
    """Looks rows up in tables, and walks them through the trees that are in none."""

    def add(rows: EncodedRows, total: Floats) -> None:
        tables.add(rows.features, total)
        if walking:
            walking.add(rows, total)

    walked = () if others is None else (others,)
    return Evaluator(add, tables.test_count // 8, walking is not None, walked)


def _probabilities_of(goal: Objective, forest: Forest) -> tuple[Outputs, Floats]:
    """Returns what the graph of averaged trees gives, and the table of the leaves it names."""
    if goal.task == "binary":
        return replace(sums(forest, 1), weights=forest.values[:, 1]), np.zeros((0, 2))
    return places(forest), forest.values


def _places(stored: Stored) -> list[int]:
    return sorted({int(name.split(".")[0]) for name in stored.trees})


def _under(place: int, arrays: Arrays) -> Arrays:
    return {f"{place}.{name}": one for name, one in arrays.items()}


def _narrow(values: Any) -> Any:
    return values.astype(np.int32) if values.dtype == np.int64 else values
