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
from modelwright.engines.automl.search.model_search import Race
from modelwright.engines.automl.search.portfolio import BASELINE
from modelwright_runtime.intervals import LEVEL, Interval
from modelwright_runtime.objective import Floats, Goal

FEW = ", or the rows be too few to tell"


@dataclass(frozen=True, slots=True)
class Judged:
    """Held-out links of a blend beside what is needed to judge them."""

    goal: Goal
    held: Floats
    """Links of the held-out rows, (n, width)."""
    truth: Floats
    seen: Floats
    """The targets of the rows that were learnt from."""
    factor: float
    """The temperature's factor that is in `held`."""
    offset: Sequence[float]
    interval: Interval | None


def metrics_of(judged: Judged) -> dict[str, Any]:
    """Gives the metrics on held-out rows with intervals, baseline and lift."""
    numeric = judged.goal.task == "regression"
    return _of_numbers(judged) if numeric else _of_classes(judged)


def _of_classes(judged: Judged) -> dict[str, Any]:
    goal, truth, held = judged.goal, judged.truth, judged.held
    named = goal.named(held, np.asarray(judged.offset))
    found = classification(goal, held, named, truth)
    shares = np.bincount(judged.seen.astype(np.intp), minlength=goal.classes) / len(judged.seen)
    flat = goal.link_of(np.tile(shares, (len(truth), 1)))
    if goal.task == "multiclass":
        flat = np.log(np.maximum(np.tile(shares, (len(truth), 1)), 1e-15))
    base = goal.loss(flat, truth)
    table = found["confusion_matrix"]
    sure = of_lift(losses_of(goal, held, truth), losses_of(goal, flat, truth))
    return found | {
        "confidence": of_classes(goal, held, table, truth, found["roc_auc"]) | _known(sure),
        "baseline": {"log_loss": base, "accuracy": float((truth == shares.argmax()).mean())},
        **_lift(found["log_loss"], base, sure),
        "calibration": {
            "expected_error_before": calibration_error(goal, held / judged.factor, truth),
            "expected_error": calibration_error(goal, held, truth),
            "temperature": 1 / judged.factor,
        },
    }


def _of_numbers(judged: Judged) -> dict[str, Any]:
    goal, truth, held = judged.goal, judged.truth, judged.held
    found = regression(goal, held, truth)
    off, squares = goal.scale.back(held[:, 0]) - truth, (judged.seen.mean() - truth) ** 2
    base, sure = float(np.sqrt(squares.mean())), of_lift(off**2, squares, 0.5)
    told = found | {
        "confidence": of_numbers(off, truth) | _known(sure),
        "baseline": {"rmse": base, "mae": float(np.abs(np.median(judged.seen) - truth).mean())},
        **_lift(found["rmse"], base, sure),
    }
    if judged.interval is not None:
        ends = judged.interval.around(goal.scale.within(held[:, 0]))
        low, high = map(goal.scale.back, ends)
        inside = (truth >= low) & (truth <= high)
        told["interval"] = {"level": LEVEL, "coverage": float(inside.mean())}
    return told


def _known(sure: list[float] | None) -> dict[str, Any]:
    return {} if sure is None else {"lift": sure}


def _lift(loss: float, base: float, sure: list[float] | None) -> dict[str, Any]:
    """Gives the lift; a model is better where chance alone would hardly have made it so."""
    better = sure is not None and sure[0] > 0
    return {"lift": 1 - loss / base if base else 0.0, "better_than_baseline": better}


def spoken(metrics: dict[str, Any], race: Race) -> list[str]:
    """Says in sentences what a reader of the metrics must not miss."""
    if metrics["better_than_baseline"]:
        return []
    chance = metrics["lift"] > 0
    others = race.runners.keys() - {BASELINE.name}
    if others - race.cut:
        why = "the columns may say nothing of the target" + FEW * chance
    elif race.failed and not race.cut:
        why = "every other model failed to be fitted"
    else:
        why = "its time ended before another model had learnt; allow it more, or give it fewer rows"
    same = "always giving the same answer"
    worse = f"beats {same} by no more than chance may" if chance else f"is not better than {same}"
    return [f"On rows it never saw the model {worse}: {why}."]


def raced(race: Race) -> list[dict[str, Any]]:
    """Gives every contender with its out-of-fold loss, folds, rounds and seconds."""
    told = []
    material = race.material(0)
    for name, runner in sorted(race.runners.items(), key=lambda one: race.entered[one[0]]):
        rows = np.concatenate([race.folds[fold][1] for fold in sorted(runner.fitted)])
        loss = material.goal.loss(runner.link[rows], material.truth[rows])
        told.append(
            {
                "name": name,
                "loss": loss,
                "folds": len(runner.fitted),
                "rounds": [runner.fitted[fold].rounds for fold in sorted(runner.fitted)],
                "seconds": round(sum(runner.seconds.values()), 2),
            }
        )
    return told
