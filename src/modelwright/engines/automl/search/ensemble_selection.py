"""Greedy ensemble selection on out-of-fold raw predictions.

And the temperature or the smearing of the blend.

Source: Caruana et al. 2004, "Ensemble selection from libraries of models"; Guo et al. 2017 for
the temperature; Duan 1983 for the smearing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from modelwright.engines.automl.estimators.fitted_model import Latency
from modelwright_runtime.objective import Floats, Objective

ENSEMBLE_SIZE = 30
"""Picks of a selection, members counted as often as they are picked."""
BAGGING_MAX_ROWS = 10_000
"""Up to so many rows members are picked on random halves of them."""
N_BAGS = 8
"""Such halves, whose picks are put together."""
MIN_WEIGHT = 0.04
"""Members of a smaller weight are left out."""
MAX_NUMBERS = 100_000
"""Raw predictions that losses are taken of at most."""
LATENCY_WEIGHT = 2e-5
"""What a microsecond of a single row is worth as a share of the loss."""
LATENCY_WEIGHT_BEYOND = 1e-3
"""What a microsecond beyond the budget is worth."""
LATENCY_BUDGET_US = 100.0
"""Microseconds that a single row may take."""
BATCH_LATENCY_WEIGHT_BEYOND = 3e-4
"""What a microsecond beyond the budget of a row among many is worth."""
BATCH_LATENCY_BUDGET_US = 12.0
"""Microseconds that a row among many may take."""
FREE_READING_US = 33.0
"""Microseconds of reading a row that leave its members their room."""
MIN_GAIN = 2e-4
"""A temperature or a smearing must lower the loss by this share of it."""
MIN_ROWS = 100
"""Fewer rows tell neither."""
ERROR_SHARE_PER_ROW = 0.05
"""So much of one row more counts as one told wrong, as rows unseen may be where none seen was."""


@dataclass(frozen=True, slots=True)
class LatencyPenalty:
    """What members cost, beside the microseconds in which a row alone is read."""

    costs: Mapping[str, Latency]
    reading: float = 0.0

    def of(self, names: Iterable[str]) -> float:
        """Returns the factor on the loss that the microseconds of a row are worth.

        Args:
            names: Members.

        Returns:
            1 or more.
        """
        cost = Latency.total(self.costs[name] for name in names)
        room = LATENCY_BUDGET_US - max(0.0, self.reading - FREE_READING_US)
        beyond = max(0.0, cost.single_us - room) * LATENCY_WEIGHT_BEYOND
        beyond += max(0.0, cost.batch_us - BATCH_LATENCY_BUDGET_US) * BATCH_LATENCY_WEIGHT_BEYOND
        return 1.0 + cost.single_us * LATENCY_WEIGHT + beyond


def select(
    raw_predictions: Mapping[str, Floats], y: Floats, goal: Objective, prices: LatencyPenalty
) -> dict[str, float]:
    """Picks members with replacement while the loss of the mean raw prediction falls.

    Gives weights.

    Few rows are picked for in halves drawn at random, and the picks are put together, so that no
    single row decides. Of blends that are almost equal the quicker wins.

    Args:
        raw_predictions: Out-of-fold raw predictions by member, shape (n, width) each.
        y: Numbers of classes or values of the target, shape (n,).
        goal: What is learnt: task, classes and scale.
        prices: What the microseconds of a row are worth.

    Returns:
        Weights of the members that were picked, 1 together.
    """
    step = _step(y, goal)
    pool = {name: raw_prediction[::step] for name, raw_prediction in raw_predictions.items()}
    seen = y[::step]
    if len(seen) > BAGGING_MAX_ROWS:
        return _trimmed(_picked(pool, seen, goal, prices))
    maker, picked = np.random.default_rng(0), dict.fromkeys(pool, 0)
    for _ in range(N_BAGS):
        rows = maker.permutation(len(seen))[: -(-len(seen) // 2)]
        half = _picked(
            {name: raw_prediction[rows] for name, raw_prediction in pool.items()},
            seen[rows],
            goal,
            prices,
        )
        picked = {name: count + half[name] for name, count in picked.items()}
    return _thinned(_trimmed(picked), pool, seen, goal, prices)


def _picked(
    pool: Mapping[str, Floats], seen: Floats, goal: Objective, prices: LatencyPenalty
) -> dict[str, int]:
    total, picked = np.zeros_like(next(iter(pool.values()))), dict.fromkeys(pool, 0)
    best, kept = np.inf, dict(picked)
    for count in range(1, ENSEMBLE_SIZE + 1):
        used = {name for name, picks in picked.items() if picks}
        tried = {
            name: goal.loss((total + raw_prediction) / count, seen) * prices.of(used | {name})
            for name, raw_prediction in pool.items()
        }
        name = min(tried, key=tried.__getitem__)
        total += pool[name]
        picked[name] += 1
        if tried[name] < best - 1e-9:
            best, kept = tried[name], dict(picked)
    return kept


def _thinned(
    weights: dict[str, float],
    pool: Mapping[str, Floats],
    seen: Floats,
    goal: Objective,
    prices: LatencyPenalty,
) -> dict[str, float]:
    """Leaves out members for as long as the blend is not worse for it, their price included."""

    def score(kept: Mapping[str, float]) -> float:
        return goal.loss(blend(pool, kept), seen) * prices.of(kept)

    best = score(weights)
    while len(weights) > 1:
        tried = [_trimmed({k: v for k, v in weights.items() if k != name}) for name in weights]
        scores = [score(one) for one in tried]
        if min(scores) > best:
            break
        best = min(scores)
        weights = tried[scores.index(best)]
    return weights


def _step(y: Floats, goal: Objective) -> int:
    """Returns the stride that keeps about as many numbers as the losses can be taken of quickly."""
    return max(1, len(y) * goal.width // MAX_NUMBERS)


def _trimmed(picked: Mapping[str, float]) -> dict[str, float]:
    total = sum(picked.values())
    kept = {name: count for name, count in picked.items() if count >= MIN_WEIGHT * total}
    return {name: count / sum(kept.values()) for name, count in kept.items() if count}


def blend(raw_predictions: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Returns the weighted sum of raw predictions.

    Args:
        raw_predictions: Raw predictions by member, shape (n, width) each.
        weights: Weights of the members by their names.

    Returns:
        Shape (n, width).
    """
    return np.asarray(sum(weight * raw_predictions[name] for name, weight in weights.items()))


def inverse_temperature(raw_prediction: Floats, y: Floats, goal: Objective) -> float:
    """Returns the factor on the raw prediction that lowers the log loss most.

    1 where it hardly helps.

    No more is to be certain than as many rows can show.

    Args:
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).
        goal: What is learnt: task, classes and scale.

    Returns:
        The factor, 1 for a regression.
    """
    if goal.task == "regression" or len(y) < MIN_ROWS:
        return 1.0
    rare, step = ERROR_SHARE_PER_ROW / len(y), _step(y, goal)
    raw_prediction, y = raw_prediction[::step], y[::step]
    wrong = (y + 1) % goal.classes

    def loss(factor: float) -> float:
        return goal.loss(raw_prediction * factor, y) + rare * goal.loss(
            raw_prediction * factor, wrong
        )

    tried = {factor: loss(factor) for factor in np.geomspace(0.25, 2.0, 85)}
    best = min(tried, key=tried.__getitem__)
    return float(best) if tried[best] < loss(1.0) * (1 - MIN_GAIN) else 1.0


def smearing_correction(raw_prediction: Floats, y: Floats, goal: Objective) -> float:
    """Returns what to add to the raw prediction that lowers the RMSE most, 0 where it hardly helps.

    On a scale of logarithms, the mean of a target lies above what has their mean.

    Args:
        raw_prediction: Raw predictions, shape (n, width).
        y: Numbers of classes or values of the target, shape (n,).
        goal: What is learnt: task, classes and scale.

    Returns:
        What to add, on the scale of raw predictions.
    """
    if not goal.scale.log or len(y) < MIN_ROWS:
        return 0.0
    step = _step(y, goal)
    raw_prediction, y = raw_prediction[::step], y[::step]
    shifts = np.log(np.geomspace(0.8, 2.5, 58)) / goal.scale.spread
    tried = {shift: goal.loss(raw_prediction + shift, y) for shift in shifts}
    best = min(tried, key=tried.__getitem__)
    return float(best) if tried[best] < goal.loss(raw_prediction, y) * (1 - MIN_GAIN) else 0.0
