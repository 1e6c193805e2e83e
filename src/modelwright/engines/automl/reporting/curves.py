"""The curves of a model card, from held-out rows: ROC, calibration, residuals. Never rows.

Held-out rows are never stored with a model: what a card draws is reduced to points here, from which
no row can be read.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from modelwright_runtime.objective import Floats, Objective

MAX_POINTS = 50
"""Points of a curve at the most: enough to be drawn, too few to tell of rows."""
MAX_BINS = 20
"""Bins of residuals at most."""
MIN_ROWS_PER_BIN = 10
"""Rows that a bin of residuals has at least."""
MAX_CLASSES = 10
"""Above this many classes no curve is drawn for each."""
QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}


def curves(
    goal: Objective, raw_prediction: Floats, y: Floats, classes: Sequence[Any]
) -> dict[str, Any]:
    """Returns what can be drawn for the task, as lists of points.

    Args:
        goal: What is learnt: task, classes and scale.
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).
        classes: The classes in the order of their numbers.

    Returns:
        Members of a JSON object: `residuals`, or `calibration` and `roc`.
    """
    if goal.task == "regression":
        given = goal.scale.inverse(raw_prediction[:, 0])
        return {"residuals": _residuals(given, y - given)}
    probabilities = goal.inverse_link(raw_prediction)
    drawn = (
        [1] if goal.task == "binary" else range(goal.classes if goal.classes <= MAX_CLASSES else 0)
    )
    return {
        "calibration": _calibration(goal, probabilities, y),
        "roc": [
            {"class": classes[one], "points": _roc(probabilities[:, one], y == one)}
            for one in drawn
            if 0 < (y == one).sum() < len(y)
        ],
    }


def _residuals(given: Floats, off: Floats) -> list[dict[str, float]]:
    """Returns how far the truth lies from the prediction, in bins of like predictions."""
    bins = max(1, min(MAX_BINS, len(given) // MIN_ROWS_PER_BIN))
    parts = np.array_split(np.argsort(given, kind="stable"), bins)
    return [
        {
            "predicted": float(given[part].mean()),
            "rows": len(part),
            **{name: float(np.quantile(off[part], at)) for name, at in QUANTILES.items()},
        }
        for part in parts
        if len(part)
    ]


def _roc(score: Floats, positive: Any) -> list[list[float]]:
    order = np.argsort(-score, kind="stable")
    ours = np.cumsum(positive[order]) / max(1, positive.sum())
    others = np.cumsum(~positive[order]) / max(1, (~positive).sum())
    some = np.unique(np.linspace(0, len(order) - 1, MAX_POINTS).astype(int))
    return [[0.0, 0.0], *np.stack([others[some], ours[some]], axis=1).tolist()]


def _calibration(goal: Objective, probabilities: Floats, y: Floats) -> list[dict[str, float]]:
    if goal.task == "binary":
        said, right = probabilities[:, 1], y == 1
    else:
        said, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == y
    parts = np.array_split(np.argsort(said, kind="stable"), 10)
    return [
        {
            "said": float(said[part].mean()),
            "true": float(right[part].mean()),
            "rows": len(part),
        }
        for part in parts
        if len(part)
    ]


def target_of(goal: Objective, seen: Floats, classes: Sequence[Any]) -> dict[str, Any]:
    """Returns how the target was distributed over the rows that were learnt from.

    Args:
        goal: What is learnt: task, classes and scale.
        seen: The target as numbers, shape (n,).
        classes: The classes in the order of their numbers.

    Returns:
        Members of a JSON object: mean and quantiles, or classes and shares.
    """
    if goal.task == "regression":
        spread = {name: float(np.quantile(seen, at)) for name, at in QUANTILES.items()}
        return {"mean": float(seen.mean()), **spread}
    shares = np.bincount(seen.astype(np.intp), minlength=goal.classes) / len(seen)
    return {"classes": list(classes), "shares": shares.tolist()}
