"""The curves of a model card, from held-out rows: ROC, calibration, residuals."""

from typing import Any

import numpy as np

from modelwright.engines.learn.goals import Floats, Goal

POINTS = 50


def curves(goal: Goal, link: Floats, truth: Floats) -> dict[str, Any]:
    """Gives what can be drawn for the task, as lists of points."""
    if goal.task == "regression":
        given = goal.scale.back(link[:, 0])
        some = np.linspace(0, len(given) - 1, min(len(given), 300)).astype(int)
        spots = np.stack([given[some], (truth - given)[some]], axis=1)
        quantiles = np.quantile(truth - given, np.linspace(0, 1, 21))
        return {"residuals": spots.tolist(), "residual_quantiles": quantiles.tolist()}
    chances = goal.probabilities(link)
    found: dict[str, Any] = {"calibration": _calibration(goal, chances, truth)}
    if goal.task == "binary":
        found["roc"] = _roc(chances[:, 1], truth == 1)
    return found


def _roc(score: Floats, positive: Any) -> list[list[float]]:
    order = np.argsort(-score, kind="stable")
    ours = np.cumsum(positive[order]) / max(1, positive.sum())
    others = np.cumsum(~positive[order]) / max(1, (~positive).sum())
    some = np.unique(np.linspace(0, len(order) - 1, POINTS).astype(int))
    return [[0.0, 0.0], *np.stack([others[some], ours[some]], axis=1).tolist()]


def _calibration(goal: Goal, chances: Floats, truth: Floats) -> list[dict[str, float]]:
    if goal.task == "binary":
        said, right = chances[:, 1], truth == 1
    else:
        said, right = chances.max(axis=1), chances.argmax(axis=1) == truth
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
