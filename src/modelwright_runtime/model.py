"""A finished model: the encoder of rows, the task, a base, and components that add to it.

Runs in the API process: numpy, and ONNX Runtime loaded late.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from modelwright_runtime.columns import Features, TextColumn
from modelwright_runtime.components import graphs, in_order
from modelwright_runtime.components.component import Component
from modelwright_runtime.components.evaluation import NUMBER_BYTES, EncodedRows, Evaluator
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Floats, Objective
from modelwright_runtime.row_reordering import RowOrder

FEATURE_BYTES = 24
"""The memory that a feature of a row takes on its way, in bytes, however it is read."""
COMPARED_NUMBERS = 6
"""Numbers more for each feature where trees are walked."""


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that turns features into raw predictions."""

    goal: Objective
    encoder: Encoder
    base: Floats
    """What every raw prediction starts from, shape (outputs,)."""
    components: tuple[Component, ...]
    """What is added to it, in the order of addition."""
    texts: tuple[tuple[TextColumn, Floats], ...]
    """The text columns whose terms have weights, and these, each of shape (terms, outputs)."""
    evaluators: tuple[Evaluator, ...] | None = None
    """How the components answer; None until that is asked for, as it takes a while."""
    order: RowOrder | None = None
    """The order that the rows of batches are put in, where they are walked through trees."""
    _adds: tuple[Callable[[EncodedRows, Floats], None], ...] | None = field(
        default=None, repr=False
    )

    @classmethod
    def of(
        cls, goal: Objective, encoder: Encoder, base: Floats, components: Iterable[Component]
    ) -> "Model":
        """Makes a model.

        Args:
            goal: The task.
            encoder: What makes features of rows.
            base: What every raw prediction starts from, shape (outputs,).
            components: What is added to it.

        Returns:
            The model, which answers once it is `opened`.
        """
        ordered = in_order(components)
        columns = {one.name: one for one in encoder.columns if isinstance(one, TextColumn)}
        texts = [
            (columns[name], weights)
            for one in ordered
            for name, weights in one.text_weights(encoder).items()
        ]
        return cls(goal, encoder, base, ordered, tuple(texts))

    def opened(self) -> "Model":
        """Returns this model ready to answer rows.

        Returns:
            A copy whose evaluators are laid out for single rows.
        """
        return self._answering(one.evaluator(self.goal, self.encoder) for one in self.components)

    def for_batches(self) -> "Model":
        """Returns this model ready to answer many rows at once, which it may put in an order.

        Returns:
            A copy whose evaluators are laid out for batches.
        """
        found = [one.batch_evaluator(self.goal, self.encoder) for one in self.components]
        walked = [forest for one in found for forest in one.walked]
        return self._answering(found, RowOrder.of(walked) if walked else None)

    def _answering(self, evaluators: Iterable[Evaluator], order: RowOrder | None = None) -> "Model":
        # Without the trees that are walked, which nothing more is asked of.
        found = tuple(replace(one, walked=()) for one in evaluators)
        adds = tuple(one.add for one in found)
        return replace(self, evaluators=found, order=order, _adds=adds)

    def bytes_a_row(self) -> int:
        """Estimates the memory that a row takes on its way to a raw prediction.

        Returns:
            Bytes.
        """
        width, evaluators = self.encoder.width, self.evaluators or ()
        numbers = COMPARED_NUMBERS * width * any(one.is_compared for one in evaluators)
        own = sum(one.bytes_a_row for one in evaluators)
        return FEATURE_BYTES * width + NUMBER_BYTES * numbers + own

    def graphs(self) -> dict[str, bytes]:
        """Returns the graphs for other runtimes, by the names of their members.

        Returns:
            Graphs in ONNX.
        """
        return graphs(self.components, self.goal, self.encoder)

    def raw_prediction(self, features: Features) -> Floats:
        """Returns the raw prediction of encoded rows but for the terms of texts.

        Args:
            features: Shape (n, features).

        Returns:
            Shape (n, outputs).

        Raises:
            ValueError: The model has not been opened.
        """
        if self.order is None:
            return self._raw_prediction(features.astype(np.float64))
        places = self.order.places(features)
        raw_prediction = np.empty((len(features), len(self.base)))
        raw_prediction[places] = self._raw_prediction(features[places].astype(np.float64))
        return raw_prediction

    def _raw_prediction(self, wide: Floats) -> Floats:
        if self._adds is None:
            raise ValueError("the model must be opened before it answers rows")
        rows = EncodedRows(wide)
        raw_prediction = np.zeros((len(wide), len(self.base))) + self.base
        for add in self._adds:
            add(rows, raw_prediction)
        return raw_prediction

    def centred(self, features: Features, texts: Callable[[str], Sequence[Any]]) -> "Model":
        """Returns this model with the means over rows of training that explanations start from.

        Args:
            features: The encoded rows, shape (n, features).
            texts: Gives the values of a column by its name, one for each row.

        Returns:
            A copy.
        """
        found = (one.centred(features, texts, self.encoder) for one in self.components)
        return replace(self, components=tuple(found))
