"""The members of a blend once more on all rows; of very many, the best one on as many as fit."""

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.family import family_of
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.search.ensemble_selection import blend
from modelwright.engines.automl.search.fits import Fit, FitOutcome
from modelwright.engines.automl.search.model_search import ModelSearch
from modelwright.engines.automl.search.splits import holdout_mask, stratified_mask
from modelwright.engines.automl.search.training_data import TrainingData, read_training_data
from modelwright.engines.automl.search.trial import Trial
from modelwright_runtime.columns import Features
from modelwright_runtime.encoder import Encoder

MIN_ROUNDS_SHARE = 0.7
"""A refit that the clock cut below this share of its rounds is not used."""
MAX_LOSS_RATIO = 1.02
"""A blend that lacks members is refitted if its loss is at most such a multiple of the whole's."""
REFIT_ROUNDS_FACTOR = 1.05
"""More rows bear a few more rounds."""
MAX_CELLS = 150_000_000
"""So many numbers of encoded rows are learnt from at most; each takes up to 20 bytes on the way."""
MAX_CELLS_IN_BATCHES = 400_000_000
"""The same where the library takes rows in batches, without a copy: up to 12 bytes each."""
ROWS_PER_SECOND = 5000
"""Rows for each second of a plan, where the clock may not decide."""
MIN_ROWS_FACTOR = 1.5
"""With fewer times the rows, nothing is learnt anew from them."""
VALIDATION_PARTS = 20
"""One row in so many ends the training of the best member."""
MAX_WORSE_RATIO = 1.002
"""A member that the clock stopped above this multiple of its loss before is not used; other rows
tell both losses, so its rounds are asked for as well."""
Ensemble = list[tuple[float, CompiledModel]]


@dataclass(frozen=True, slots=True)
class FinalEnsemble:
    """The members that are served, with the encoder and the rows that they learnt from."""

    training: TrainingData
    encoder: Encoder
    features: Features
    """The rows of the training data as the encoder sees them."""
    members: Ensemble


def compiled(members: Sequence[tuple[float, FittedModel]]) -> Ensemble:
    """Compiles members beside their weights.

    Args:
        members: Weights with their models.

    Returns:
        Weights with their compiled models.
    """
    return [(weight, fitted.compiled()) for weight, fitted in members]


def refittable(search: ModelSearch, deadline: float) -> dict[str, float]:
    """Blends what there is time to refit; everything where that would be `MAX_LOSS_RATIO` much.

    Args:
        search: The search.
        deadline: Seconds of the monotonic clock.

    Returns:
        Weights by the names of candidates.
    """
    whole = found = search.weights()
    dropped: set[str] = set()
    while len(found) > 1 and search.max_candidates is None and _end(search, found) > deadline:
        dropped.add(max(found, key=lambda name: search.trials[name].pace))
        found = search.weights(dropped)
    return found if _blended(search, found) <= MAX_LOSS_RATIO * _blended(search, whole) else whole


def _end(search: ModelSearch, names: Collection[str]) -> float:
    return time.monotonic() + search.again_seconds(names)


def refit(
    training: TrainingData, search: ModelSearch, weights: dict[str, float], stop: Deadline
) -> FinalEnsemble | None:
    """Refits members on the rows of the search, held-out ones included.

    One that would come too late or fails is left out; None where the others lose more than
    `MAX_LOSS_RATIO` without it.

    Args:
        training: The rows of the build.
        search: The search.
        weights: Weights of the members by their names.
        stop: When it has to end.

    Returns:
        The refitted blend, or None.
    """
    everything = np.arange(len(training.y))
    training.fit_encoder(everything)
    training.widen()
    fold_data = training.fold_data(-1, everything)

    found = _refitted(search, weights, fold_data, stop)
    kept = sum(weights[name] for name in found)
    again = {name: weights[name] * sum(weights.values()) / kept for name in found}
    if not found or (
        len(found) < len(weights)
        and _blended(search, again) > MAX_LOSS_RATIO * _blended(search, weights)
    ):
        return None
    members = [(again[name], one) for name, one in found.items()]
    return FinalEnsemble(training, fold_data.encoder, training.features(), compiled(members))


def _refitted(
    search: ModelSearch, weights: dict[str, float], fold_data: FoldData, stop: Deadline
) -> dict[str, FittedModel]:
    """Refits members on all rows, the heaviest first; those for which there is time."""
    running: dict[str, Future[FitOutcome]] = {}
    everything = np.arange(len(fold_data.y))
    for name in sorted(weights, key=weights.__getitem__, reverse=True):
        busy = [one for one in running.values() if not one.done()]
        if len(busy) >= search.workers:
            wait(busy, return_when=FIRST_COMPLETED)
        trial = search.trials[name]
        if trial.pace * search.refit_factor * MIN_ROUNDS_SHARE > stop.remaining():
            continue
        fit = Fit(trial.candidate, everything, None, _rounds(trial), (), is_kept=True)
        running[name] = search.executor.submit(fold_data, fit, stop)
    found = {}
    for name, future in running.items():
        if error := future.exception():
            search.failed[name] = f"{type(error).__name__}: {error}"
        elif future.result().fitted.rounds >= _rounds(search.trials[name]) * MIN_ROUNDS_SHARE:
            found[name] = future.result().fitted
    return found


def enlarged(
    tables: Sequence[Path],
    search: ModelSearch,
    training: TrainingData,
    weights: dict[str, float],
    stop: Deadline,
) -> FinalEnsemble | None:
    """Refits the heaviest boosted member on more rows than the search had, the others on as many.

    As many rows as memory and time allow; some are held out as those of the search are, the latest
    of rows in the order of time, to end its training. None where that is hardly more, where another
    member fails, or where the clock stopped it early or while it was worse than before.

    Args:
        tables: Parquet files, one after the other.
        search: The search.
        training: The rows of the build.
        weights: Weights of the members by their names.
        stop: When it has to end.

    Returns:
        The refitted blend, or None.
    """
    boosted = [name for name in weights if _is_boosted(search.trials[name])]
    best = max(boosted, key=weights.__getitem__, default=None)
    most = 0 if best is None else _affordable(search, training, search.trials[best], stop)
    if best is None or most < MIN_ROWS_FACTOR * len(training.y):
        return None
    more = read_training_data(tables, training.plan, most, training)
    everything = np.arange(len(more.y))
    more.fit_encoder(everything)
    more.widen()
    fold_data = more.fold_data(-1, everything, is_last=True)
    checked = holdout_mask(more.y, more.plan.seed + 3, more.times, more.groups, VALIDATION_PARTS)
    few = np.flatnonzero(stratified_mask(more.y, round(len(more.y) / len(training.y)), 4))

    def again(name: str) -> FittedModel | None:
        entry = search.trials[name].candidate
        if name != best:
            rounds = _rounds(search.trials[name])
            return entry.fit(fold_data, few, None, rounds, stop)
        wide = replace(fold_data, threads=more.threads * more.workers)
        train, valid = np.flatnonzero(~checked), np.flatnonzero(checked)
        fitted = entry.fit(wide, train, valid, None, stop)
        loss = fold_data.goal.loss(fitted.raw_prediction(valid), fold_data.y[valid])
        before = search.trials[name].loss(search.fold_data(0), search.folds[0][1])
        if not stop.expired():
            return fitted
        grown = fitted.rounds >= MIN_ROUNDS_SHARE * search.trials[name].rounds
        return fitted if grown and loss <= MAX_WORSE_RATIO * before else None

    found = _side_by_side(again, search, weights, more.workers)
    if len(found) < len(weights):
        return None
    members = compiled([(weights[name], fitted) for name, fitted in found.items()])
    return FinalEnsemble(more, fold_data.encoder, more.features(), members)


def _affordable(search: ModelSearch, training: TrainingData, best: Trial, stop: Deadline) -> int:
    """Returns how many rows can be read, encoded and learnt from."""
    rows, plan = len(training.y), training.plan
    family = family_of(best.candidate.estimator)
    cells = MAX_CELLS_IN_BATCHES if family and family.takes_batches else MAX_CELLS
    most = min(training.total, cells // int(training.features().shape[1]))
    if plan.max_iterations is not None:
        return min(most, round(plan.seconds * ROWS_PER_SECOND))
    each = (search.least + best.step * search.refit_factor) / rows
    return min(most, round(stop.remaining() / each))


def _is_boosted(trial: Trial) -> bool:
    family = family_of(trial.candidate.estimator)
    return family is not None and family.is_boosted


def _blended(search: ModelSearch, weights: dict[str, float]) -> float:
    """Returns the loss of a blend over the folds that all of the living have finished."""
    fold_data, covered = search.fold_data(0), search.covered()
    raw_predictions = {name: search.trials[name].raw_prediction[covered] for name in weights}
    return fold_data.goal.loss(blend(raw_predictions, weights), fold_data.y[covered])


def _side_by_side(
    again: Callable[[str], FittedModel | None],
    search: ModelSearch,
    weights: dict[str, float],
    workers: int,
) -> dict[str, FittedModel]:
    """Refits members side by side, the heaviest first; a failure leaves only its own out."""

    def careful(name: str) -> FittedModel | None:
        try:
            return again(name)
        except Exception as error:  # noqa: BLE001 - the other members make the model
            search.failed[name] = f"{type(error).__name__}: {error}"
            return None

    order = sorted(weights, key=weights.__getitem__, reverse=True)
    with ThreadPoolExecutor(workers) as pool:
        found = dict(zip(order, pool.map(careful, order), strict=True))
    return {name: fitted for name, fitted in found.items() if fitted is not None}


def _rounds(trial: Trial) -> int:
    """Returns the rounds of a refit: the mean over the folds, a little more for the added rows."""
    factor = REFIT_ROUNDS_FACTOR if _is_boosted(trial) else 1.0
    return max(1, round(trial.rounds * factor))
