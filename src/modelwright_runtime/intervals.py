"""Split-conformal prediction intervals, narrower where the model is surer.

Out-of-fold residuals on the scale of raw predictions are grouped by predicted value; each group
has its own quantiles (Vovk 2012, Mondrian conformal prediction). They lie between order
statistics, so that a new row is expected inside exactly as often as is said (Hyndman and Fan
1996, their sixth kind), or more often where they would leave the prediction outside.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_runtime.objective import Floats

INTERVAL_LEVEL = 0.9
"""The share of rows that an interval is to hold."""
ROWS_PER_GROUP = 200
"""Residuals that a group has at least."""
MAX_GROUPS = 10
"""Groups of rows by predicted value at most."""


@dataclass(frozen=True, slots=True)
class Interval:
    """What to add to a raw prediction for the lower and the upper end.

    By group of predicted raw predictions.
    """

    edges: Floats
    low: Floats
    high: Floats

    @classmethod
    def fit(cls, raw_prediction: Floats, target: Floats) -> "Interval":
        """Learns from out-of-fold raw predictions and targets on the same scale.

        Where a group is off to one side, as with a model that hardly learnt, the nearer end is the
        prediction itself.

        Args:
            raw_prediction: Out-of-fold raw predictions, shape (n,).
            target: Targets on the scale of raw predictions, shape (n,).

        Returns:
            The interval.
        """
        groups = max(1, min(MAX_GROUPS, len(raw_prediction) // ROWS_PER_GROUP))
        edges = np.quantile(raw_prediction, np.linspace(0, 1, groups + 1)[1:-1])
        group = np.searchsorted(edges, raw_prediction, side="right")
        ends = [_ends((target - raw_prediction)[group == one]) for one in range(groups)]
        return cls(np.asarray(edges), *np.array(ends, dtype=np.float64).T)

    def around(self, raw_prediction: Floats) -> tuple[Floats, Floats]:
        """Returns both ends on the scale of raw predictions for raw predictions (n,).

        Args:
            raw_prediction: Raw predictions, shape (n,).

        Returns:
            Low and high ends, shape (n,) each.
        """
        group = np.searchsorted(self.edges, raw_prediction, side="right")
        return raw_prediction + self.low[group], raw_prediction + self.high[group]

    def to_json(self) -> dict[str, Any]:
        """Returns plain lists.

        Returns:
            Members of a JSON object.
        """
        return {name: getattr(self, name).tolist() for name in self.__slots__}

    @classmethod
    def from_json(cls, members: dict[str, Any]) -> "Interval":
        """Reads what `to_json` gave.

        Args:
            members: Members of a JSON object, not trusted.

        Returns:
            The interval.

        Raises:
            ValueError: The ends do not fit the groups.
        """
        found = cls(**{name: np.array(members[name], dtype=np.float64) for name in cls.__slots__})
        ends = (found.edges.size + 1,)
        if (found.edges.ndim, found.low.shape, found.high.shape) != (1, ends, ends):
            raise ValueError("the interval does not fit together")
        return found


def _ends(residuals: Floats) -> tuple[float, float]:
    if not len(residuals):
        return 0.0, 0.0
    tail = (1 - INTERVAL_LEVEL) / 2
    low, high = np.quantile(residuals, [tail, 1 - tail], method="weibull")
    return min(float(low), 0.0), max(float(high), 0.0)
