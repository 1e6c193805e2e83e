"""One fit of a search, and what came of it."""

import time
from dataclasses import dataclass

import numpy as np

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.fitted_model import FittedModel
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.search.portfolio import Candidate
from modelwright_runtime.objective import Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """One fit: a candidate on rows of a fold."""

    candidate: Candidate
    train: Rows
    valid: Rows | None
    """The rows by which the rounds are found; None where `rounds` are given."""
    rounds: int | None
    asked: tuple[Rows, ...]
    """Rows whose raw predictions are wanted, in parts."""
    is_kept: bool
    """Whether the model itself may be served, not its predictions alone be looked at."""

    def run(self, fold_data: FoldData, stop: Deadline) -> "FitOutcome":
        """Fits and predicts, in the calling process.

        Args:
            fold_data: The rows as a fold sees them.
            stop: When it has to end.

        Returns:
            The fitted model with what it predicts and the seconds it took.
        """
        begun = time.monotonic()
        fitted = self.candidate.fit(fold_data, self.train, self.valid, self.rounds, stop)
        seconds, is_cut = time.monotonic() - begun, stop.expired()
        nothing = np.zeros((0, fold_data.goal.width))
        raw_predictions = tuple(
            fitted.raw_prediction(rows) if len(rows) else nothing for rows in self.asked
        )
        return FitOutcome(fitted, raw_predictions, seconds, is_cut)


@dataclass(frozen=True, slots=True)
class FitOutcome:
    """A fitted model and what it says of the rows that were asked."""

    fitted: FittedModel
    raw_predictions: tuple[Floats, ...]
    seconds: float
    is_cut: bool
    """Whether the clock ended it."""
