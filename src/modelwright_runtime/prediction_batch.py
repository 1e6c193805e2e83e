"""What is answered: one prediction, or many as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats, Goal


class Prediction(NamedTuple):
    """One answer: `result` matches the output schema exactly."""

    result: dict[str, Any]
    link: Floats
    """The model's link, shape (width,)."""
    chances: Floats
    """The probability of each class in class order; empty for a regression."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Many answers as arrays, in the order of the rows."""

    link: Floats
    """Shape (n, width)."""
    told: NDArray[Any]
    """The number of the class that is named, shape (n,); for a regression the value."""
    goal: Goal

    def one(self, place: int) -> "Answers":
        """Gives the answer to one row alone."""
        own = slice(place, place + 1)
        return Answers(self.link[own], self.told[own], self.goal)

    def followed_by(self, others: "Sequence[Answers]") -> "Answers":
        """Gives these answers and then others of the same model."""
        links = [self.link, *(one.link for one in others)]
        told = [self.told, *(one.told for one in others)]
        return Answers(np.concatenate(links), np.concatenate(told), self.goal)

    @property
    def chances(self) -> Floats:
        """The probability of each class, shape (n, classes); (n, 0) for a regression."""
        if self.goal.task == "regression":
            return np.zeros((len(self.link), 0))
        return self.goal.probabilities(self.link)
