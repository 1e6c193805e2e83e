"""A candidate in the search, with all that is known of it so far."""

from dataclasses import dataclass, field

import numpy as np

from modelwright.engines.automl.estimators.fitted_model import FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.search.portfolio import Candidate
from modelwright_runtime.objective import Floats


@dataclass(slots=True)
class Trial:
    """A candidate in the search: its fold models, what they took and what they said."""

    candidate: Candidate
    raw_prediction: Floats
    """Out-of-fold raw predictions by row, NaN where there is none yet."""
    held: Floats
    """Links of the held-out rows, each from one fold model that never saw it."""
    fitted: dict[int, FittedModel] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    agreed: int | None = None
    """The rounds that all folds take, once they have agreed on them."""
    settled: set[int] = field(default_factory=set)
    """The folds that were fitted with these."""

    @property
    def step(self) -> float:
        """The seconds a fold takes, the longest so far."""
        return max(self.seconds.values(), default=0.0)

    @property
    def pace(self) -> float:
        """The seconds a fold takes, the mean so far."""
        return float(np.mean([*self.seconds.values()])) if self.seconds else 0.0

    def loss(self, fold_data: FoldData, rows: Rows) -> float:
        """Returns the loss of what was said out of fold of these rows.

        Args:
            fold_data: The rows as a fold sees them.
            rows: Numbers of rows that it has predicted.

        Returns:
            The mean loss; lower is better.
        """
        return fold_data.goal.loss(self.raw_prediction[rows], fold_data.y[rows])

    @property
    def rounds(self) -> float:
        """The rounds of a fold, the mean so far."""
        return float(np.mean([fitted.rounds for fitted in self.fitted.values()]))

    @property
    def cost(self) -> Latency:
        """What a row costs, the mean over the folds."""
        costs = [self.fitted[fold].cost for fold in sorted(self.fitted)]
        whole = Latency.total(costs)
        return Latency(whole.single_us / len(costs), whole.batch_us / len(costs))
