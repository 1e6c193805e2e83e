"""Which class is named for given probabilities, so that the wished metric is served."""

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats, Objective

BETAS = {"f1": 1.0, "precision": 0.5, "recall": 2.0}
"""Precision or recall alone is best by naming no class or always the same; F-beta leans to one."""
N_THRESHOLDS = 99
"""Thresholds that are tried, quantiles of the predicted probability."""


def class_bias(goal: Objective, raw_prediction: Floats, y: Floats, metric: str) -> list[float]:
    """Returns what to add to the log probability of each class before the largest is named.

    Learnt from out-of-fold raw predictions: the threshold that is best for F-beta of two
    classes, the class shares for balanced accuracy; zeros for every other metric.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).
        metric: The metric that is optimised.

    Returns:
        A number for each class.
    """
    nothing = [0.0] * goal.classes
    if metric == "balanced_accuracy" or (metric in BETAS and goal.task == "multiclass"):
        shares = np.bincount(y.astype(np.intp), minlength=goal.classes) / len(y)
        return (-np.log(np.maximum(shares, 1 / len(y)))).tolist()  # type: ignore[no-any-return]
    if metric not in BETAS:
        return nothing
    probabilities = goal.inverse_link(raw_prediction)[:, 1]
    tried = np.unique(np.quantile(probabilities, np.linspace(0.01, 0.99, N_THRESHOLDS)))
    scores = [_f_beta(probabilities >= one, y == 1, BETAS[metric]) for one in tried]
    best = float(np.clip(tried[int(np.argmax(scores))], 1e-6, 1 - 1e-6))
    return [0.0, float(np.log1p(-best) - np.log(best))]


def threshold_bias(threshold: float) -> list[float]:
    """Returns the bias by which the second class is said from a probability on.

    Args:
        threshold: The probability, above 0 and below 1.

    Returns:
        What is added to the log probability of either class.
    """
    return [0.0, float(np.log1p(-threshold) - np.log(threshold))]


def _f_beta(named: NDArray[np.bool_], true: NDArray[np.bool_], beta: float) -> float:
    both = float((named & true).sum())
    below = beta**2 * float(true.sum()) + float(named.sum())
    return (1 + beta**2) * both / below if below else 0.0
