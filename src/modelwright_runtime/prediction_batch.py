"""What is answered: one prediction, or many as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats, Objective


class Prediction(NamedTuple):
    """One answer: `result` matches the output schema exactly."""

    result: dict[str, Any]
    raw_prediction: Floats
    """The model's raw prediction, shape (width,)."""
    probabilities: Floats
    """The probability of each class in class order; empty for a regression."""


@dataclass(frozen=True, slots=True)
class PredictionBatch:
    """Many answers as arrays, in the order of the rows."""

    raw_prediction: Floats
    """Shape (n, width)."""
    told: NDArray[Any]
    """The number of the class that is named, shape (n,); for a regression the value."""
    goal: Objective

    def one(self, place: int) -> "PredictionBatch":
        """Returns the answer to one row alone.

        Args:
            place: Number of the row.

        Returns:
            A batch of one row.
        """
        own = slice(place, place + 1)
        return PredictionBatch(self.raw_prediction[own], self.told[own], self.goal)

    def followed_by(self, others: "Sequence[PredictionBatch]") -> "PredictionBatch":
        """Returns these answers and then others of the same model.

        Args:
            others: Answers to other rows.

        Returns:
            One batch.
        """
        raw_predictions = [self.raw_prediction, *(one.raw_prediction for one in others)]
        told = [self.told, *(one.told for one in others)]
        return PredictionBatch(np.concatenate(raw_predictions), np.concatenate(told), self.goal)

    @property
    def probabilities(self) -> Floats:
        """The probability of each class, shape (n, classes); (n, 0) for a regression."""
        if self.goal.task == "regression":
            return np.zeros((len(self.raw_prediction), 0))
        return self.goal.inverse_link(self.raw_prediction)
