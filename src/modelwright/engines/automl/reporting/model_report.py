"""What is told of a model: honest metrics with their certainty, and everything a card shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
from modelwright_runtime.intervals import LEVEL, Interval
from modelwright_runtime.objective import Floats, Objective

FEW = ", or the rows be too few to tell"


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


def holdout_metrics(judged: HoldoutPredictions) -> dict[str, Any]:
    """Returns the metrics on held-out rows with intervals, baseline and lift."""
    numeric = judged.goal.task == "regression"
    return _of_numbers(judged) if numeric else _of_classes(judged)


def _of_classes(judged: HoldoutPredictions) -> dict[str, Any]:
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
    return found | {
        "confidence": of_classes(goal, held, table, y, found["roc_auc"]) | _known(sure),
        "baseline": {"log_loss": base, "accuracy": float((y == shares.argmax()).mean())},
        **_lift(found["log_loss"], base, sure),
        "calibration": {
            "expected_error_before": calibration_error(goal, held / judged.factor, y),
            "expected_error": calibration_error(goal, held, y),
            "temperature": 1 / judged.factor,
        },
    }


def _of_numbers(judged: HoldoutPredictions) -> dict[str, Any]:
    goal, y, held = judged.goal, judged.y, judged.held
    found = regression(goal, held, y)
    off, squares = goal.scale.inverse(held[:, 0]) - y, (judged.seen.mean() - y) ** 2
    base, sure = float(np.sqrt(squares.mean())), of_lift(off**2, squares, 0.5)
    told = found | {
        "confidence": of_numbers(off, y) | _known(sure),
        "baseline": {"rmse": base, "mae": float(np.abs(np.median(judged.seen) - y).mean())},
        **_lift(found["rmse"], base, sure),
    }
    if judged.interval is not None:
        ends = judged.interval.around(goal.scale.clip(held[:, 0]))
        low, high = map(goal.scale.inverse, ends)
        inside = (y >= low) & (y <= high)
        told["interval"] = {"level": LEVEL, "coverage": float(inside.mean())}
    return told


def _known(sure: list[float] | None) -> dict[str, Any]:
    return {} if sure is None else {"lift": sure}


def _lift(loss: float, base: float, sure: list[float] | None) -> dict[str, Any]:
    """Returns the lift; a model is better where chance alone would hardly have made it so."""
    better = sure is not None and sure[0] > 0
    return {"lift": 1 - loss / base if base else 0.0, "better_than_baseline": better}


def warning_texts(metrics: dict[str, Any], search: ModelSearch) -> list[str]:
    """Returns in sentences what a reader of the metrics must not miss."""
    if metrics["better_than_baseline"]:
        return []
    chance = metrics["lift"] > 0
    others = search.trials.keys() - {BASELINE.name}
    if others - search.timed_out:
        why = "the columns may say nothing of the target" + FEW * chance
    elif search.failed and not search.timed_out:
        why = "every other model failed to be fitted"
    else:
        why = "its time ended before another model had learnt; allow it more, or give it fewer rows"
    same = "always giving the same answer"
    worse = f"beats {same} by no more than chance may" if chance else f"is not better than {same}"
    return [f"On rows it never saw the model {worse}: {why}."]


def leaderboard(search: ModelSearch) -> list[dict[str, Any]]:
    """Returns every candidate with its out-of-fold loss, folds, rounds and seconds."""
    told = []
    fold_data = search.fold_data(0)
    for name, trial in sorted(search.trials.items(), key=lambda one: search.entry_order[one[0]]):
        rows = np.concatenate([search.folds[fold][1] for fold in sorted(trial.fitted)])
        loss = fold_data.goal.loss(trial.raw_prediction[rows], fold_data.y[rows])
        told.append(
            {
                "name": name,
                "loss": loss,
                "folds": len(trial.fitted),
                "rounds": [trial.fitted[fold].rounds for fold in sorted(trial.fitted)],
                "seconds": round(sum(trial.seconds.values()), 2),
            }
        )
    return told
