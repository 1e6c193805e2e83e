"""A member that learns what straight lines leave over, and goes on along them beyond what was seen.

Trees and bent functions answer for a later time as for the latest one they have seen.
"""

from dataclasses import replace

import numpy as np

from modelwright.engines.automl.estimators.additive_model import PENALTIES, fit_additive
from modelwright.engines.automl.estimators.estimator import Estimator, FitRequest, Settings
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright_runtime.components import merged
from modelwright_runtime.objective import TargetTransform

PENALTY = PENALTIES.index(0.3) + 1
"""The penalties that lines take: they end with a mild one."""


def fit_over_trend(family: Estimator, over: Settings, request: FitRequest) -> FittedModel:
    """Fits lines with settings of their own to a numeric target, the family to what they leave.

    Args:
        family: Fits what the lines leave.
        over: Settings of the lines.
        request: What to fit, and until when.

    Returns:
        The fitted model: lines and what is above them.
    """
    data = request.data
    lines = fit_additive(replace(request, valid=None, rounds=PENALTY, settings=over))
    rest = data.target - lines.raw_prediction(np.arange(len(data.target)))[:, 0]
    goal = replace(data.goal, scale=TargetTransform())
    left = replace(data, goal=goal, target=rest, y=rest)
    fitted = family(replace(request, data=left))
    return FittedModel(
        fitted.rounds,
        lambda rows: lines.raw_prediction(rows) + fitted.raw_prediction(rows),
        lambda: _joined(lines.compiled(), fitted.compiled()),
        Latency.total([lines.cost, fitted.cost]),
    )


def _joined(lines: CompiledModel, other: CompiledModel) -> CompiledModel:
    return CompiledModel(lines.base + other.base, merged([*lines.components, *other.components]))
