"""The report of a model: honest metrics with their certainty, and everything a card shows.

What is said of a model is said once, here, on rows that nothing was fitted or chosen by; cards and
answers only show it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modelwright.engines.automl.planning.plan import BINARY_CLASSES
from modelwright.engines.automl.reporting.confidence_intervals import (
    calibration_error,
    losses_of,
    of_classes,
    of_lift,
    of_numbers,
)
from modelwright.engines.automl.reporting.metrics import classification, regression
from modelwright.engines.automl.search.model_search import ModelSearch
from modelwright.engines.automl.search.portfolio import BASELINE
from modelwright_runtime.intervals import INTERVAL_LEVEL, Interval
from modelwright_runtime.objective import Floats, Objective

MOST_NAMED = 5
"""Classes that a sentence names at most."""
AUC_OF_CHANCE = 0.5
"""ROC AUC of an order of rows that tells nothing of their classes."""
OR_TOO_FEW_ROWS = ", or the rows be too few to tell"


@dataclass(frozen=True, slots=True)
class HoldoutPredictions:
    """Held-out raw predictions of a blend beside what is needed to judge them."""

    goal: Objective
    held: Floats
    """Links of the held-out rows, (n, width)."""
    y: Floats
    seen: Floats
    """The targets of the rows that were learnt from."""
    factor: float
    """The temperature's factor that is in `held`."""
    offset: Sequence[float]
    interval: Interval | None
    naive: Mapping[str, Floats] = field(default_factory=dict)
    """What rows in the order of time are told by naive rules, by their names, each (n,)."""
    threshold: float | None = None
    """The probability from which on the positive class is said, where a request settles it."""
    costs: Mapping[str, float] | None = None
    weights: Floats | None = None
    """How much the held-out rows count, (n,)."""


def holdout_metrics(judged: HoldoutPredictions) -> dict[str, Any]:
    """Returns the metrics on held-out rows with intervals, baseline and lift.

    Args:
        judged: What the model answered to held-out rows.

    Returns:
        Members of a JSON object.
    """
    numeric = judged.goal.task == "regression"
    found = _of_numbers(judged) if numeric else _of_classes(judged)
    if judged.weights is not None:
        found["weighted"] = _weighted(judged, judged.weights)
    return found


def _weighted(judged: HoldoutPredictions, weights: Floats) -> dict[str, float]:
    """Returns the loss with each row counting as its weight says."""
    goal, y, held = judged.goal, judged.y, judged.held
    if goal.task == "regression":
        off = goal.scale.inverse(held[:, 0]) - y
        return {"rmse": float(np.sqrt(np.average(off**2, weights=weights)))}
    named = goal.predict_class(held, np.asarray(judged.offset))
    return {
        "log_loss": float(np.average(losses_of(goal, held, y), weights=weights)),
        "accuracy": float(np.average(named == y, weights=weights)),
    }


def _decision(judged: HoldoutPredictions, table: Any) -> dict[str, Any]:
    """Returns from which probability on the positive class is said, and what that costs a row."""
    if judged.threshold is None:
        return {}
    metrics: dict[str, Any] = {"threshold": judged.threshold}
    if judged.costs is not None:
        cost = table[0][1] * judged.costs["false_positive"]
        cost += table[1][0] * judged.costs["false_negative"]
        metrics |= {"costs": dict(judged.costs), "cost_per_row": cost / max(len(judged.y), 1)}
    return metrics


def _of_classes(judged: HoldoutPredictions) -> dict[str, Any]:
    """Returns the metrics of a classification, beside those of the shares of the classes alone."""
    goal, y, held = judged.goal, judged.y, judged.held
    named = goal.predict_class(held, np.asarray(judged.offset))
    found = classification(goal, held, named, y)
    shares = np.bincount(judged.seen.astype(np.intp), minlength=goal.classes) / len(judged.seen)
    flat = goal.link(np.tile(shares, (len(y), 1)))
    if goal.task == "multiclass":
        flat = np.log(np.maximum(np.tile(shares, (len(y), 1)), 1e-15))
    base = goal.loss(flat, y)
    table = found["confusion_matrix"]
    sure = of_lift(losses_of(goal, held, y), losses_of(goal, flat, y))
    usual = float((y == shares.argmax()).mean())
    naive = {name: {"accuracy": float((one == y).mean())} for name, one in judged.naive.items()}
    lift = _lift(found["log_loss"], base, sure)
    lift["better_than_baseline"] &= not _more_often_right(naive, usual, found["accuracy"])
    return found | {
        "confidence": of_classes(goal, held, table, y, found["roc_auc"]) | _known(sure),
        "baseline": {"log_loss": base, "accuracy": usual, **naive},
        **lift,
        **_decision(judged, table),
        "calibration": {
            "expected_error_before": calibration_error(goal, held / judged.factor, y),
            "expected_error": calibration_error(goal, held, y),
            "temperature": 1 / judged.factor,
        },
    }


def _more_often_right(
    naive: Mapping[str, Mapping[str, float]], usual: float, accuracy: float
) -> list[str]:
    """Returns the naive rules that say something of rows, and are right more often than a model.

    Where a class is rare, the commonest one is nearly always right and tells nothing.
    """
    return [
        name for name, one in naive.items() if one["accuracy"] > max(usual, accuracy) + TOLERANCE
    ]


def _of_numbers(judged: HoldoutPredictions) -> dict[str, Any]:
    """Returns the metrics of a regression, beside those of the mean and the median alone."""
    goal, y, held = judged.goal, judged.y, judged.held
    found = regression(goal, held, y)
    off, squares = goal.scale.inverse(held[:, 0]) - y, (judged.seen.mean() - y) ** 2
    base, sure = float(np.sqrt(squares.mean())), of_lift(off**2, squares, 0.5)
    metrics = found | {
        "confidence": of_numbers(off, y) | _known(sure),
        "baseline": {"rmse": base, "mae": float(np.abs(np.median(judged.seen) - y).mean())},
        **_lift(found["rmse"], base, sure),
    }
    for name, naive in judged.naive.items():
        misses = naive - y
        metrics["baseline"][name] = {
            "rmse": float(np.sqrt((misses**2).mean())),
            "mae": float(np.abs(misses).mean()),
        }
        than = of_lift(off**2, misses**2, 0.5)
        is_better = than is not None and than[0] > 0
        metrics["baseline"][name]["beaten"] = is_better
        metrics["better_than_baseline"] &= is_better
    if judged.interval is not None:
        ends = judged.interval.around(goal.scale.clip(held[:, 0]))
        low, high = map(goal.scale.inverse, ends)
        inside = (y >= low) & (y <= high)
        metrics["interval"] = {"level": INTERVAL_LEVEL, "coverage": float(inside.mean())}
    return metrics


def _known(sure: list[float] | None) -> dict[str, Any]:
    return {} if sure is None else {"lift": sure}


def _lift(loss: float, base: float, sure: list[float] | None) -> dict[str, Any]:
    """Returns the lift; a model is better where chance alone would hardly have made it so."""
    better = sure is not None and sure[0] > 0
    return {"lift": 1 - loss / base if base else 0.0, "better_than_baseline": better}


NAIVE = {
    "last_value": "giving the value of the row before",
    "last_known": "giving the last value that was learnt from",
    "season": "giving the value of a season before",
}
"""What naive rules do, by their names."""
RARE_SHARE = 0.2
"""A class of fewer rows than this share is called rare."""
TOLERANCE = 1e-9
"""By so much more at least is a rule right more often."""
SHORT_COVERAGE = 0.1
"""Intervals that hold so much less than they say are warned of."""


def warning_texts(
    metrics: dict[str, Any], search: ModelSearch, classes: Sequence[Any] = ()
) -> list[str]:
    """Returns in sentences what a reader of the metrics must not miss.

    Args:
        metrics: What `holdout_metrics` gave.
        search: The search that found the model.
        classes: The values of the target, in class order; empty for a regression.

    Returns:
        A sentence for each, none where all is well.
    """
    return [
        *_of_baseline(metrics, search),
        *_of_naive(metrics),
        *_of_fit(metrics),
        *_of_unsaid(metrics, classes),
    ]


def _of_naive(metrics: dict[str, Any]) -> list[str]:
    """Names the naive rule that a model is not surely better than, the best one of them."""
    baseline = metrics.get("baseline", {})
    if "accuracy" in baseline:
        naive = {one: baseline[one] for one in NAIVE if one in baseline}
        right = _more_often_right(naive, baseline["accuracy"], metrics["accuracy"])
        best = max(right, key=lambda one: baseline[one]["accuracy"], default=None)
        measured = ("right of {:.1%} of rows", "accuracy")
    else:
        wrong = [one for one in NAIVE if one in baseline and not baseline[one]["beaten"]]
        best = min(wrong, key=lambda one: baseline[one]["rmse"], default=None)
        measured = ("off by {:.4g} (RMSE)", "rmse")
    if best is None:
        return []
    shown, metric = measured
    naive_is, model_is = (shown.format(one[metric]) for one in (baseline[best], metrics))
    by = ", no more than chance may make" * (metrics.get("rmse", 0) < baseline[best].get("rmse", 0))
    return [
        (
            f"On rows it never saw the model is not better than {NAIVE[best]}: that is"
            f" {naive_is}, the model {model_is}{by}. Columns of earlier values of the target, such"
            " as the last one, give it what that rule knows."
        )
    ]


def _of_fit(metrics: dict[str, Any]) -> list[str]:
    """Says where the model is further off than the mean, or its intervals hold too little."""
    said = []
    if round(metrics.get("r2") or 0.0, 2) < 0:
        said.append(
            f"r2 is {metrics['r2']:.3g} on rows it never saw: below zero, so the model is further"
            " off than always giving the mean of these rows. Do not rely on it."
        )
    interval = metrics.get("interval")
    if interval and interval["coverage"] < interval["level"] - SHORT_COVERAGE:
        said.append(
            f"Intervals that are to hold {interval['level']:.0%} of rows hold"
            f" {interval['coverage']:.0%} of those it never saw: take them for too narrow."
        )
    return said


def _of_unsaid(metrics: dict[str, Any], classes: Sequence[Any]) -> list[str]:
    """Names rare classes that held-out rows have and that the model says of none."""
    table = np.array(metrics.get("confusion_matrix", np.zeros((0, 0))))
    if not classes or not table.size:
        return []
    own = table.sum(axis=1)
    is_rare = (own > 0) & (own < RARE_SHARE * own.sum())
    never = np.flatnonzero((table.sum(axis=0) == 0) & is_rare)
    named = ", ".join(str(classes[one]) for one in never[:MOST_NAMED].tolist())
    if not named:
        return []
    binary = len(classes) == BINARY_CLASSES
    mend = "`metric` f1 or balanced_accuracy" + ", or a `threshold` or `costs`" * binary
    rows = int(table[never].sum())
    said = f"No held-out row is ever called {named}, though {rows} are: the class is rare."
    return [f"{said} Ask for {mend}."]


def _of_baseline(metrics: dict[str, Any], search: ModelSearch) -> list[str]:
    """Says where the model is no better than the same answer for all rows."""
    sure = metrics.get("confidence", {})
    if metrics["better_than_baseline"] or sure.get("lift", [0])[0] > 0:
        return []
    chance = metrics["lift"] > 0
    if chance and sure.get("roc_auc", [0])[0] > AUC_OF_CHANCE:
        return []  # it tells the classes apart: the columns do say something of the target
    others = search.trials.keys() - {BASELINE.name}
    if others - search.timed_out:
        why = "the columns may say nothing of the target" + OR_TOO_FEW_ROWS * chance
    elif search.failed and not search.timed_out:
        why = "every other model failed to be fitted"
    else:
        why = (
            "its time ended before another model had learnt; retrain it while the server is less"
            " busy, give it fewer rows, or have the operator raise MODELWRIGHT_BUILD_SECONDS"
        )
    same = "always giving the same answer"
    worse = f"is not better than {same}"
    if chance:
        worse = f"is better than {same} by no more than chance can make"
    return [f"On rows it never saw the model {worse}: {why}."]


def leaderboard(search: ModelSearch) -> list[dict[str, Any]]:
    """Returns every candidate with its out-of-fold loss, folds, rounds and seconds.

    Args:
        search: The search.

    Returns:
        Members of a JSON object for each, in the order in which they entered.
    """
    leaderboard = []
    fold_data = search.fold_data(0)
    for name, trial in sorted(search.trials.items(), key=lambda one: search.entry_order[one[0]]):
        rows = np.concatenate([search.folds[fold][1] for fold in sorted(trial.fitted)])
        loss = fold_data.goal.loss(trial.raw_prediction[rows], fold_data.y[rows])
        leaderboard.append(
            {
                "name": name,
                "loss": loss,
                "folds": len(trial.fitted),
                "rounds": [trial.fitted[fold].rounds for fold in sorted(trial.fitted)],
                "seconds": round(sum(trial.seconds.values()), 2),
            }
        )
    return leaderboard
