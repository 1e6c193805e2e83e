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
    """Fits lines with settings of their own to a numeric target, the family to what they leave.

    Args:
        family: Fits what the lines leave.
        over: Settings of the lines.
        data: The rows as a fold sees them.
        train: Numbers of the rows to learn from.
        valid: Numbers of the rows that end the training, or None.
        rounds: How long to train; without it until the held-out loss no longer falls.
        deadline: When the training ends, whatever it has.
        settings: Those of the candidate.

    Returns:
        The fitted model: lines and what is above them.
    """
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
