"""The baseline as a member: the same answer for every row, which every other model has to beat."""

import numpy as np

from modelwright.engines.automl.estimators.estimator import (
    Compiled,
    Cost,
    Fitted,
    Material,
    Rows,
    Settings,
    Stop,
)
from modelwright_runtime.objective import Floats


def fit_constant(
    material: Material,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    stop: Stop,
    settings: Settings,
) -> Fitted:
    """Takes the class shares, drawn a little to even odds, or the mean of the target."""
    del valid, rounds, stop, settings
    goal, target = material.goal, material.target[train]
    base: Floats
    if goal.task == "regression":
        base = np.array([target.mean()])
    else:
        counts = np.bincount(target.astype(np.intp), minlength=goal.classes) + 1.0
        base = goal.link_of((counts / counts.sum())[None])[0]
    return Fitted(1, lambda rows: np.tile(base, (len(rows), 1)), lambda: Compiled(base), Cost(0, 0))
