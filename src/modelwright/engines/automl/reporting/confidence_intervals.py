"""How sure a metric is: 95 % intervals, the baseline beside it, calibration before and after.

On a hundred held-out rows a metric may be off by more than what two models differ by; the interval
says so.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import stdtrit

from modelwright.engines.automl.reporting.metrics import metrics_of_tables
from modelwright_runtime.objective import Floats, Objective

Z_95 = 1.959964
"""Standard errors on either side of a normal interval of 95 %."""
SIDE_QUANTILE = 0.975
"""The upper quantile of a two-sided 95 % confidence interval."""
FEWEST_ROWS = 2
"""With fewer rows a spread cannot be told."""
BOOTSTRAP_DRAWS = 1000
"""Bootstrap samples that an interval is taken from."""
MOST_CELLS = 2**20
"""Cells of drawn confusion matrices that are looked at in one go."""
CALIBRATION_BINS = 15
"""Bins of predicted probability that the calibration error is averaged over."""


def of_classes(
    goal: Objective, raw_prediction: Floats, table: Any, y: Floats, area: float | None
) -> dict[str, Any]:
    """Returns intervals of the metrics of a classification.

    Those of the confusion matrix by drawing it anew, of the log loss by the normal approximation,
    of the AUC after Hanley and McNeil (1982).

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        table: The confusion matrix, shape (classes, classes).
        y: Numbers of classes or values of the target, shape (n,).
        area: The area under the ROC curve, if there is one.

    Returns:
        Low and high ends by the name of the metric.
    """
    counts = np.asarray(table, dtype=np.float64)
    total, draws = int(counts.sum()), max(100, BOOTSTRAP_DRAWS // max(1, counts.size // 100))
    parts = [metrics_of_tables(one, binary=goal.task == "binary") for one in _drawn(counts, draws)]
    found = {
        name: np.quantile(np.concatenate([one[name] for one in parts]), [0.025, 0.975]).tolist()
        for name in parts[0]
    }
    losses = losses_of(goal, raw_prediction, y)
    found["log_loss"] = _normal(float(losses.mean()), float(losses.std()), total)
    if area is not None and goal.task == "binary":
        positive = max(1, int((y == 1).sum()))
        found["roc_auc"] = _of_area(area, positive, max(1, total - positive))
    return found


def _drawn(counts: Floats, draws: int) -> Iterator[Floats]:
    """Draws confusion matrices of as many rows, some at a time; most cells of many stay empty."""
    there, total = np.flatnonzero(counts), int(counts.sum())
    shares = counts.ravel()[there] / total
    drawn = np.random.default_rng(0).multinomial(total, shares, draws)
    at_once = max(1, MOST_CELLS // counts.size)
    for start in range(0, draws, at_once):
        part = drawn[start : start + at_once]
        tables = np.zeros((len(part), counts.size))
        tables[:, there] = part
        yield tables.reshape(-1, *counts.shape)


def of_numbers(off: Floats, y: Floats) -> dict[str, Any]:
    """Returns intervals of RMSE, MAE and R2 by the normal approximation.

    Args:
        off: Predicted less true values, shape (n,).
        y: Numbers of classes or values of the target, shape (n,).

    Returns:
        Low and high ends by the name of the metric.
    """
    squares, size = off**2, len(off)
    low, high = _normal(float(squares.mean()), float(squares.std()), size)
    around = float(y.var()) or 1.0
    return {
        "rmse": [low**0.5, high**0.5],
        "mae": _normal(float(np.abs(off).mean()), float(np.abs(off).std()), size),
        "r2": [1 - high / around, 1 - low / around],
    }


def of_lift(losses: Floats, base: Floats, power: float = 1.0) -> list[float] | None:
    """Returns the interval of the lift over a baseline, from the losses of both on the same rows.

    The lift is 1 less the ratio of the mean losses to this power; the ratio by the delta method,
    with Student's t for few rows. None where the rows tell of no spread.

    Args:
        losses: Losses of the model, shape (n,).
        base: Losses of the baseline, shape (n,).
        power: 0.5 where the metric is the root of the mean loss.

    Returns:
        Low and high end, or None.
    """
    size, whole = len(losses), float(base.mean())
    if size < FEWEST_ROWS or whole <= 0:
        return None
    ratio = float(losses.mean()) / whole
    spread = float((losses - ratio * base).std(ddof=1)) / whole
    reach = float(stdtrit(size - 1, SIDE_QUANTILE)) * spread / size**0.5
    return [1 - (ratio + reach) ** power, 1 - max(ratio - reach, 0.0) ** power]


def losses_of(goal: Objective, raw_prediction: Floats, y: Floats) -> Floats:
    """Returns the log loss of each row.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).

    Returns:
        Shape (n,).
    """
    probabilities = goal.inverse_link(raw_prediction)
    return np.asarray(-np.log(np.maximum(probabilities[np.arange(len(y)), y.astype(int)], 1e-15)))


def calibration_error(goal: Objective, raw_prediction: Floats, y: Floats) -> float:
    """Returns the expected calibration error of the most likely class, in 15 bins of equal size.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).

    Returns:
        0 to 1.
    """
    probabilities = goal.inverse_link(raw_prediction)
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    order = np.argsort(sure, kind="stable")
    parts = [part for part in np.array_split(order, CALIBRATION_BINS) if len(part)]
    gaps = [abs(float(sure[part].mean() - right[part].mean())) * len(part) for part in parts]
    return float(sum(gaps) / len(y))


def _normal(mean: float, spread: float, size: int) -> list[float]:
    """Returns the interval of a mean that can't be below zero."""
    reach = Z_95 * spread / max(size, 1) ** 0.5
    return [max(mean - reach, 0.0), mean + reach]


def _of_area(area: float, ours: int, others: int) -> list[float]:
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (ours - 1) * (first - area**2) + (others - 1) * (second - area**2)
    reach = Z_95 * max(spread / (ours * others), 0.0) ** 0.5
    return [max(0.0, area - reach), min(1.0, area + reach)]
