"""Metrics of a model on rows it never saw, as JSON-ready numbers.

The figures of the hold-out and those of live feedback are set side by side, so that both are
computed here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats, Objective


def classification(
    goal: Objective, raw_prediction: Floats, chosen: NDArray[np.intp], y: Floats
) -> dict[str, Any]:
    """Returns accuracy, precision, recall and F1 (macro above two classes), AUC and log loss.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        chosen: Numbers of the classes that were named, shape (n,).
        y: Numbers of classes or values of the target, shape (n,).

    Returns:
        Metrics by their names.
    """
    table = confusion(y.astype(np.intp), chosen, goal.classes)
    return {
        **confusion_metrics(table, binary=goal.task == "binary"),
        "roc_auc": _auc(goal.inverse_link(raw_prediction), y, goal),
        "log_loss": goal.loss(raw_prediction, y),
        "confusion_matrix": table.tolist(),
    }


def confusion_metrics(table: NDArray[Any], *, binary: bool) -> dict[str, float]:
    """Returns what a confusion matrix (true class down, chosen class across) tells.

    Args:
        table: The confusion matrix, shape (classes, classes).
        binary: Whether the second class alone is looked at.

    Returns:
        Metrics by their names.
    """
    return {name: float(one) for name, one in metrics_of_tables(table, binary=binary).items()}


def metrics_of_tables(tables: NDArray[Any], *, binary: bool) -> dict[str, Floats]:
    """Returns what each of many confusion matrices tells.

    Args:
        tables: Confusion matrices, shape (..., classes, classes).
        binary: Whether the second class alone is looked at.

    Returns:
        Metrics by their names, each of shape (...).
    """
    hit = np.diagonal(tables, axis1=-2, axis2=-1).astype(np.float64)
    real = tables.sum(axis=-1)
    precision = _ratio(hit, tables.sum(axis=-2))
    recall = _ratio(hit, real)
    f1 = _ratio(2 * precision * recall, precision + recall)
    there = real > 0
    pick = np.broadcast_to([False, True], there.shape) if binary else there
    return {
        "accuracy": hit.sum(axis=-1) / np.maximum(real.sum(axis=-1), 1),
        "precision": precision.mean(axis=-1, where=pick),
        "recall": recall.mean(axis=-1, where=pick),
        "f1_score": f1.mean(axis=-1, where=pick),
        "balanced_accuracy": recall.mean(axis=-1, where=there),
    }


def regression(goal: Objective, raw_prediction: Floats, y: Floats) -> dict[str, Any]:
    """Returns RMSE, MAE and R2 in the units of the target; those of classification are null.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).

    Returns:
        Metrics by their names.
    """
    off = goal.scale.inverse(raw_prediction[:, 0]) - y
    around = float(((y - y.mean()) ** 2).sum())
    return {
        "accuracy": None,
        "precision": None,
        "recall": None,
        "f1_score": None,
        "rmse": float(np.sqrt((off**2).mean())),
        "mae": float(np.abs(off).mean()),
        "r2": 1.0 - float((off**2).sum()) / around if around else None,
    }


def confusion(y: NDArray[np.intp], chosen: NDArray[np.intp], classes: int) -> NDArray[np.intp]:
    """Counts rows by true class (down) and chosen class (across).

    Args:
        y: Numbers of the true classes, shape (n,).
        chosen: Numbers of the classes that were named, shape (n,).
        classes: How many classes there are.

    Returns:
        Shape (classes, classes).
    """
    return np.bincount(y * classes + chosen, minlength=classes**2).reshape(classes, classes)


def _auc(probabilities: Floats, y: Floats, goal: Objective) -> float | None:
    """Returns the area under the ROC curve, the mean of one class against the rest above two.

    Args:
        probabilities: Shape (n, classes).
        y: Numbers of classes or values of the target, shape (n,).
        goal: What is learnt: task, classes and scale.

    Returns:
        0 to 1, or None where one class alone is there.
    """
    picked = [1] if goal.task == "binary" else range(goal.classes)
    areas = [_area(probabilities[:, one], y == one) for one in picked]
    known = [area for area in areas if area is not None]
    return float(np.mean(known)) if known else None


def _area(score: Floats, positive: NDArray[np.bool_]) -> float | None:
    ours, others = int(positive.sum()), int((~positive).sum())
    if not ours or not others:
        return None
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return float((ranks[positive].sum() - ours * (ours + 1) / 2) / (ours * others))


def _ratio(above: Floats, below: NDArray[Any]) -> Floats:
    share = np.zeros(above.shape)
    return np.asarray(np.divide(above, below, out=share, where=np.asarray(below) > 0))
