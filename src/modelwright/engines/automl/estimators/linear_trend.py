"""A member that learns what straight lines leave over, and goes on along them beyond what was seen.

Trees and bent functions answer for a later time as for the latest one they have seen.
"""

from dataclasses import replace

import numpy as np

from modelwright.engines.automl.estimators.additive_model import (
    PENALTIES,
    fit_additive,
)
from modelwright.engines.automl.estimators.estimator import (
    CompiledModel,
    Deadline,
    Estimator,
    FittedModel,
    FoldData,
    Latency,
    Rows,
    Settings,
)
from modelwright_runtime.components import merged
from modelwright_runtime.objective import TargetTransform

PENALTY = PENALTIES.index(0.3) + 1
"""The penalties that lines take: they end with a mild one."""


def fit_over_trend(
    family: Estimator,
    over: Settings,
    data: FoldData,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    deadline: Deadline,
    settings: Settings,
) -> FittedModel:
    """Fits lines with settings of their own to a numeric target, the family to what they leave."""
    lines = fit_additive(data, train, None, PENALTY, deadline, over)
    rest = data.target - lines.raw_prediction(np.arange(len(data.target)))[:, 0]
    goal = replace(data.goal, scale=TargetTransform())
    left = replace(data, goal=goal, target=rest, y=rest)
    fitted = family(left, train, valid, rounds, deadline, settings)
    return FittedModel(
        fitted.rounds,
        lambda rows: lines.raw_prediction(rows) + fitted.raw_prediction(rows),
        lambda: _joined(lines.compiled(), fitted.compiled()),
        Latency.total([lines.cost, fitted.cost]),
    )


def _joined(lines: CompiledModel, other: CompiledModel) -> CompiledModel:
    return CompiledModel(lines.base + other.base, merged([*lines.components, *other.components]))
