"""The baseline as a member: the same answer for every row, which every other model has to beat."""

import numpy as np

from modelwright.engines.automl.estimators.estimator import (
    CompiledModel,
    Deadline,
    FittedModel,
    FoldData,
    Latency,
    Rows,
    Settings,
)
from modelwright_runtime.objective import Floats


def fit_baseline(
    data: FoldData,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    deadline: Deadline,
    settings: Settings,
) -> FittedModel:
    """Takes the class shares, drawn a little to even odds, or the mean of the target."""
    del valid, rounds, deadline, settings
    goal, target = data.goal, data.target[train]
    base: Floats
    if goal.task == "regression":
        base = np.array([target.mean()])
    else:
        counts = np.bincount(target.astype(np.intp), minlength=goal.classes) + 1.0
        base = goal.link((counts / counts.sum())[None])[0]
    return FittedModel(
        1, lambda rows: np.tile(base, (len(rows), 1)), lambda: CompiledModel(base), Latency(0, 0)
    )
