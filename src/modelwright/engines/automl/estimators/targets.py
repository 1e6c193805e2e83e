"""A target as the slope of its loss takes it: one column for each output of a link."""

import numpy as np

from modelwright_runtime.objective import Floats, Goal


def target_columns(goal: Goal, target: Floats) -> Floats:
    """Gives ones and zeros by class, or the values, shape (n, width)."""
    if goal.task == "multiclass":
        return np.eye(goal.classes)[target.astype(np.intp)]
    return target[:, None]


def starting_link(goal: Goal, columns: Floats) -> Floats:
    """Gives the link of the mean target, shape (width,)."""
    mean = columns.mean(axis=0)
    if goal.task == "regression":
        return np.asarray(mean)
    share = np.clip(mean, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(share) - (np.log1p(-share) if goal.task == "binary" else 0.0))
