"""A target as the slope of its loss takes it: one column for each output of a raw prediction."""

import numpy as np

from modelwright_runtime.objective import Floats, Objective


def target_columns(goal: Objective, target: Floats) -> Floats:
    """Returns ones and zeros by class, or the values, shape (n, width).

    Args:
        goal: What is learnt: task, classes and scale.
        target: The target as numbers, shape (n,).

    Returns:
        Float64.
    """
    if goal.task == "multiclass":
        return np.eye(goal.classes)[target.astype(np.intp)]
    return target[:, None]


def starting_raw_prediction(goal: Objective, columns: Floats) -> Floats:
    """Returns the raw prediction of the mean target, shape (width,).

    Args:
        goal: What is learnt: task, classes and scale.
        columns: What `target_columns` gave, shape (n, width).

    Returns:
        Float64.
    """
    mean = columns.mean(axis=0)
    if goal.task == "regression":
        return np.asarray(mean)
    share = np.clip(mean, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(share) - (np.log1p(-share) if goal.task == "binary" else 0.0))
