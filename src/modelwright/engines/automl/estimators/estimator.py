"""What every family of models takes and gives, so that a race can run them all alike.

A family that is added takes and gives these; fits, search and refits then need no change.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from modelwright.engines.automl.estimators.fitted_model import FittedModel
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment, on the monotonic clock, at which a fit gives what it has."""

    moment: float

    def expired(self) -> bool:
        """Returns whether the moment has passed.

        Returns:
            Whether it has.
        """
        return time.monotonic() >= self.moment

    def remaining(self) -> float:
        """Returns the seconds left, never below zero.

        Returns:
            Seconds.
        """
        return max(0.0, self.moment - time.monotonic())


Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FitRequest:
    """What a family of models is fitted to, and until when."""

    data: FoldData
    """The rows as one fold sees them."""
    train: Rows
    """The numbers of the rows to learn from, shape (n,)."""
    valid: Rows | None
    """Those of the rows that end the training; None where `rounds` are known."""
    rounds: int | None
    """How many rounds to take; None for as many as `valid` bears."""
    deadline: Deadline
    """When to give what there is."""
    settings: Settings
    """Settings of the family, and `exclude`, kinds of features to leave out."""


Estimator = Callable[[FitRequest], FittedModel]
"""Fits a family of models: the best round of what is asked for."""
