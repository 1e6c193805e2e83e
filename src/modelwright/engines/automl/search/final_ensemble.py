"""The members of a blend once more on all rows; of very many, the best one on as many as fit."""

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from modelwright.engines.automl.estimators.catboost import fit_oblivious
from modelwright.engines.automl.estimators.estimator import Compiled, Fitted, Stop
from modelwright.engines.automl.estimators.lightgbm import fit_boosting
from modelwright.engines.automl.search.ensemble_selection import blend
from modelwright.engines.automl.search.model_search import Race
from modelwright.engines.automl.search.splits import set_aside
from modelwright.engines.automl.search.training_data import Lesson, read_lesson
from modelwright.engines.automl.search.trial import Runner
from modelwright_runtime.columns import Slots
from modelwright_runtime.encoder import Encoder

ENOUGH = 0.7
"""A refit that the clock cut below this share of its rounds is not used."""
LACKING = 1.02
"""A blend that lacks members is refitted if its loss is at most such a multiple of the whole's."""
REFIT = 1.05
"""More rows bear a few more rounds."""
MOST_SLOTS = 150_000_000
"""So many numbers of encoded rows are learnt from at most; each takes up to 20 bytes on the way."""
ROWS_A_SECOND = 5000
"""Rows for each second of a plan, where the clock may not decide."""
WORTH = 1.5
"""With fewer times the rows, nothing is learnt anew from them."""
CHECKED = 20
"""One row in so many ends the training of the best member."""
WORSE = 1.002
"""A member that the clock stopped above this multiple of its loss before is not used."""
Members = list[tuple[float, Compiled]]


@dataclass(frozen=True, slots=True)
class Final:
    """The members that are served, with the encoder and the rows that they learnt from."""

    lesson: Lesson
    encoder: Encoder
    slots: Slots
    """The rows of the lesson as the encoder sees them."""
    members: Members


def compiled(members: Sequence[tuple[float, Fitted]]) -> Members:
    """Compiles members beside their weights."""
    return [(weight, fitted.compiled()) for weight, fitted in members]


def refittable(race: Race, deadline: float) -> dict[str, float]:
    """Blends what there is time to refit; everything where that would be `LACKING` much."""
    whole = found = race.weights()
    dropped: set[str] = set()
    while len(found) > 1 and race.candidates is None and _end(race, found) > deadline:
        dropped.add(max(found, key=lambda name: race.runners[name].pace))
        found = race.weights(dropped)
    return found if _blended(race, found) <= LACKING * _blended(race, whole) else whole


def _end(race: Race, names: Collection[str]) -> float:
    return time.monotonic() + race.again_seconds(names)


def refit(lesson: Lesson, race: Race, weights: dict[str, float], stop: Stop) -> Final | None:
    """Refits members on the rows of the race, held-out ones included.

    One that would come too late or fails is left out; None where the others are `LACKING` it.
    """
    everything = np.arange(len(lesson.truth))
    lesson.learn(everything)
    lesson.widen()
    material = lesson.material(-1, everything)

    def refitted(name: str) -> Fitted | None:
        runner, rounds = race.runners[name], _rounds(race.runners[name])
        if runner.pace * race.refit_factor * ENOUGH > stop.left():
            return None
        entry = runner.contender
        fitted = entry.fit(material, everything, None, rounds, stop)
        return fitted if fitted.rounds >= rounds * ENOUGH else None

    found = _side_by_side(refitted, race, weights, lesson.workers)
    kept = sum(weights[name] for name in found)
    again = {name: weights[name] * sum(weights.values()) / kept for name in found}
    if not found or (
        len(found) < len(weights) and _blended(race, again) > LACKING * _blended(race, weights)
    ):
        return None
    members = [(again[name], one) for name, one in found.items()]
    return Final(lesson, material.encoder, lesson.slots(), compiled(members))


def enlarged(
    tables: Sequence[Path], race: Race, lesson: Lesson, weights: dict[str, float], stop: Stop
) -> Final | None:
    """Refits the heaviest boosted member on more rows than the race had, the others on as many.

    As many rows as memory and time allow. None where that is hardly more, where another member
    fails, or where the clock stopped it while it was worse than before.
    """
    boosted = [name for name in weights if _is_boosted(race.runners[name])]
    best = max(boosted, key=weights.__getitem__, default=None)
    most = 0 if best is None else _affordable(race, lesson, race.runners[best], stop)
    if best is None or most < WORTH * len(lesson.truth):
        return None
    more = read_lesson(tables, lesson.plan, most, lesson)
    everything = np.arange(len(more.truth))
    more.learn(everything)
    more.widen()
    material = more.material(-1, everything)
    checked = set_aside(more.truth, CHECKED, more.plan.seed + 3)
    few = np.flatnonzero(set_aside(more.truth, round(len(more.truth) / len(lesson.truth)), 4))

    def again(name: str) -> Fitted | None:
        entry = race.runners[name].contender
        if name != best:
            rounds = _rounds(race.runners[name])
            return entry.fit(material, few, None, rounds, stop)
        wide = replace(material, threads=more.threads * more.workers)
        train, valid = np.flatnonzero(~checked), np.flatnonzero(checked)
        fitted = entry.fit(wide, train, valid, None, stop)
        loss = material.goal.loss(fitted.link(valid), material.truth[valid])
        before = race.runners[name].loss(race.material(0), race.folds[0][1])
        return fitted if not stop.over() or loss <= WORSE * before else None

    found = _side_by_side(again, race, weights, more.workers)
    if len(found) < len(weights):
        return None
    members = compiled([(weights[name], fitted) for name, fitted in found.items()])
    return Final(more, material.encoder, more.slots(), members)


def _affordable(race: Race, lesson: Lesson, best: Runner, stop: Stop) -> int:
    """Gives how many rows can be read, encoded and learnt from."""
    rows, plan = len(lesson.truth), lesson.plan
    most = min(lesson.total, MOST_SLOTS // int(lesson.slots().shape[1]))
    if plan.max_iterations is not None:
        return min(most, round(plan.seconds * ROWS_A_SECOND))
    each = (race.least + best.step * race.refit_factor) / rows
    return min(most, round(stop.left() / each))


def _is_boosted(runner: Runner) -> bool:
    return runner.contender.family in {fit_boosting, fit_oblivious}


def _blended(race: Race, weights: dict[str, float]) -> float:
    """Gives the loss of a blend over the folds that all of the living have finished."""
    material, covered = race.material(0), race.covered()
    links = {name: race.runners[name].link[covered] for name in weights}
    return material.goal.loss(blend(links, weights), material.truth[covered])


def _side_by_side(
    again: Callable[[str], Fitted | None], race: Race, weights: dict[str, float], workers: int
) -> dict[str, Fitted]:
    """Refits members side by side, the heaviest first; a failure leaves only its own out."""

    def careful(name: str) -> Fitted | None:
        try:
            return again(name)
        except Exception as error:  # noqa: BLE001 - the other members make the model
            race.failed[name] = f"{type(error).__name__}: {error}"
            return None

    order = sorted(weights, key=weights.__getitem__, reverse=True)
    with ThreadPoolExecutor(workers) as pool:
        found = dict(zip(order, pool.map(careful, order), strict=True))
    return {name: fitted for name, fitted in found.items() if fitted is not None}


def _rounds(runner: Runner) -> int:
    """Gives the rounds of a refit: the mean over the folds, a little more for the added rows."""
    steady = runner.contender.name.startswith(("Linear", "ExtraTrees", "Network", "Constant"))
    return max(1, round(runner.rounds if steady else runner.rounds * REFIT))
