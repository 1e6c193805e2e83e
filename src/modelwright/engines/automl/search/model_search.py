"""Races candidates over folds, round-robin, under one deadline; keeps out-of-fold raw predictions.

As many fits run side by side as there are processors: small tables gain little from more threads
in one fit, and lose much when another process wants a processor.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

import numpy as np

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.family import MAX_CLASSES_FULL
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.search.ensemble_selection import LatencyPenalty, select
from modelwright.engines.automl.search.executors import FitExecutor
from modelwright.engines.automl.search.fits import Fit, FitOutcome
from modelwright.engines.automl.search.portfolio import BASELINE, Candidate, mutate, portfolio
from modelwright.engines.automl.search.splits import comparison_folds
from modelwright.engines.automl.search.trial import Trial

FIRST_FOLD_TIME_SHARE = 0.12
"""The share of the whole budget that the first fold of a candidate may take."""
FIRST_FOLD_TIME_SHARE_CAPPED = 0.35
"""The same where the number of candidates is capped, so that the same build on a busier machine
gives the same model."""
DROP_LOSS_RATIO = 1.2
"""A candidate whose loss is above this multiple of the best is dropped after its first folds."""
MAX_VARIATIONS = 200
"""Variations of the best candidates at most."""
ROWS_PER_VARIATION = 100
"""Rows that tell one variation more apart."""
VARIATION_BATCH = 4
"""Variations that are drawn at a time, more where more fits run side by side and the clock decides:
a capped number of candidates gives the same model wherever they are fitted."""
VARIATION_PATIENCE = 6
"""The search ends when so many batches gave the ensemble no member."""
EARLY_CHECKPOINTS = 2
"""A checkpoint is written after each of the first so many candidates, the baseline among them."""
RESETTLE_MAX_ROWS = 1500
"""Up to so many rows of a fold, all folds of a candidate are fitted again with the same rounds."""
FOLD_TIME_FACTOR = 3.0
"""A later fold is cut when it takes so many times what the first one took."""


@dataclass(slots=True)
class ModelSearch:
    """The state of a race."""

    folds: list[tuple[Rows, Rows]]
    holdout_rows: list[Rows]
    """The held-out rows that each fold's models are asked about; the last word counts."""
    fold_data: Callable[[int], FoldData]
    deadline: float
    refit_factor: float
    executor: FitExecutor
    least: float
    """The seconds that a refit takes beside its fits: encoding again, weighing the columns."""
    max_candidates: int | None
    """A cap on the candidates; with one, the clock decides nothing before the deadline."""
    report_progress: Callable[[int, str], None]
    checkpoint: Callable[["ModelSearch"], None]
    started: float = field(default_factory=time.monotonic)
    trials: dict[str, Trial] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)
    entry_order: dict[str, int] = field(default_factory=dict)
    """The order in which candidates were entered; they end in whichever order they are ready."""
    attempted: list[Candidate] = field(default_factory=list)
    """Those that were fitted at least once, or failed at it."""
    failed: dict[str, str] = field(default_factory=dict)
    timed_out: set[str] = field(default_factory=set)
    """Candidates that the clock stopped, which another build may carry further."""
    ensemble: Collection[str] = ()
    """The members of the latest blend."""

    @property
    def workers(self) -> int:
        """How many fits run side by side."""
        return self.executor.workers

    def run(self) -> None:
        """Runs the portfolio over all folds, then variations of it, while the time lasts."""
        first = self.fold_data(0)
        table = first.kinds, first.goal.width, len(self.folds[0][0])
        entries = portfolio(*table, later=bool(first.later))[: self.max_candidates]
        self._fit_folds([BASELINE, *entries], self._first_folds())
        self._prune()
        self.checkpoint(self)
        self._finish_folds()
        self._refit_with_mean_rounds()
        self.ensemble = self.weights()
        if first.goal.width <= MAX_CLASSES_FULL:
            self._search_variations(
                min(MAX_VARIATIONS, len(first.y) // ROWS_PER_VARIATION), first.seed
            )

    def _search_variations(self, most: int, seed: int) -> None:
        """Lets variations of the blend's members race; those it does not want are dropped."""
        if self.max_candidates is not None:
            most = min(most, self.max_candidates - len(self.entry_order) + 1)
        idle, batch = 0, VARIATION_BATCH
        if self.max_candidates is None:
            batch = max(batch, self.workers)
        for number in range(0, most, batch):
            last, settled = min(number + batch, most), self.active
            timely = self._fit_folds(
                self._draw_variations(range(number, last), seed), self._first_folds()
            )
            self.ensemble = self.weights()
            self.active = [name for name in self.active if name in settled or name in self.ensemble]
            idle = 0 if len(self.active) > len(settled) else idle + 1
            timely = timely and self._finish_folds()
            if not timely:
                self.active = [name for name in self.active if name in settled or self._done(name)]
            self._refit_with_mean_rounds()
            if not timely or idle == VARIATION_PATIENCE:
                break

    def _draw_variations(self, numbers: range, seed: int) -> list[Candidate]:
        """Draws variations, each once."""
        parents = [self.trials[name].candidate for name in self.ensemble]
        known = [(one.estimator, one.settings, one.lines) for one in self.attempted]
        drawn = []
        for number in numbers:
            one = mutate(number, seed, parents)
            if (one.estimator, one.settings, one.lines) not in known:
                known.append((one.estimator, one.settings, one.lines))
                drawn.append(one)
        return drawn

    def _done(self, name: str) -> bool:
        return len(self.trials[name].fitted) == len(self.folds)

    def _first_folds(self) -> range:
        """Returns the folds after which candidates are compared."""
        return range(comparison_folds(self.folds))

    def _finish_folds(self) -> bool:
        entries = [self.trials[name].candidate for name in self.active]
        return self._fit_folds(entries, range(len(self.folds)))

    def _refit_with_mean_rounds(self) -> None:
        """Fits the folds of few rows again, with the rounds that they take on average.

        Those that a fold finds on the few rows that judge it make it look better than it is.
        """
        if len(self.folds[0][0]) > RESETTLE_MAX_ROWS:
            return
        entries = []
        for name in self.active:
            trial = self.trials[name]
            if self._done(name) and name != BASELINE.name:
                trial.agreed = trial.agreed or max(1, round(trial.rounds))
                entries.append(trial.candidate)
        self._fit_folds(entries, range(len(self.folds)), again=True)

    def _fit_folds(
        self, entries: Sequence[Candidate], folds: Iterable[int], *, again: bool = False
    ) -> bool:
        """Fits entries on folds, fold by fold; says whether there was time for all of them.

        `again` fits those that were fitted before, with the rounds that were agreed on.
        """
        running: dict[Future[FitOutcome], tuple[Candidate, int]] = {}
        for entry in entries:
            self.entry_order.setdefault(entry.name, len(self.entry_order))
        timely, jobs = True, [(fold, entry) for fold in folds for entry in entries]
        try:
            for fold, entry in jobs:
                if self._is_over(entry, fold, again=again):
                    continue
                trial = self.trials.get(entry.name)
                if len(running) >= self.workers:
                    self._collect_finished(running)
                timely = not self.trials or self._has_time_for(self._estimate_seconds(entry))
                if not timely:
                    break
                if entry not in self.attempted:
                    self.attempted.append(entry)
                if trial and again:
                    trial.settled.add(fold)
                fit = self._fit(entry, fold, trial.agreed if trial else None)
                job = self.executor.submit(self.fold_data(fold), fit, self._stop(entry))
                running[job] = (entry, fold)
            while running:
                self._collect_finished(running)
        finally:
            wait(running)
        return timely

    def _is_over(self, entry: Candidate, fold: int, *, again: bool) -> bool:
        """Returns whether nothing is to be fitted: it was on this fold, it failed, or it lags."""
        trial = self.trials.get(entry.name)
        done = (trial.settled if again else trial.fitted) if trial else ()
        return entry.name in self.failed or fold in done or self._should_drop(entry.name)

    def _fit(self, entry: Candidate, fold: int, rounds: int | None) -> Fit:
        train, valid = self.folds[fold]
        judging = valid if rounds is None else None
        asked = valid, self.holdout_rows[fold]
        return Fit(entry, train, judging, rounds, asked, is_kept=fold == 0)

    def _stop(self, entry: Candidate) -> Deadline:
        """Returns the moment at which a fit is cut: its cap, or when the refit must begin."""
        trial = self.trials.get(entry.name)
        share = (self.deadline - self.started) * (
            FIRST_FOLD_TIME_SHARE if self.max_candidates is None else FIRST_FOLD_TIME_SHARE_CAPPED
        )
        cap = (
            share
            if entry.name in self.timed_out or not trial
            else max(share, trial.step * FOLD_TIME_FACTOR)
        )
        left = self.deadline - self.refit_seconds() - time.monotonic()
        return Deadline(time.monotonic() + min(cap, max(left, self.least)))

    def _estimate_seconds(self, entry: Candidate) -> float:
        """Guesses what a fold of an entry takes: as before, or as the quickest of its family."""
        if entry.name in self.trials:
            return self.trials[entry.name].step
        kin = [
            one.step for one in self.trials.values() if one.candidate.estimator is entry.estimator
        ]
        return min(kin, default=0.0)

    def _should_drop(self, name: str) -> bool:
        """Drops a candidate that the clock cut in the first folds, while another was far better."""
        trial = self.trials.get(name)
        if (
            not trial
            or name not in self.timed_out
            or len(trial.fitted) >= comparison_folds(self.folds)
        ):
            return False
        fold_data, rows = self.fold_data(0), self.folds[0][1]
        losses = {one: self.trials[one].loss(fold_data, rows) for one in {name, *self.active}}
        if not losses[name] > DROP_LOSS_RATIO * np.nanmin(
            [*losses.values()]
        ):  # not a number: yet to come
            return False
        self.active = [one for one in self.active if one != name]
        return True

    def _survives(self, entry: Candidate, error: BaseException | None) -> bool:
        """Drops a candidate that failed; only when none is left does the search fail with it.

        One whose folds were all fitted before stays as it was then.
        """
        if error is None:
            return True
        self.failed[entry.name] = f"{type(error).__name__}: {error}"
        if entry.name not in self.trials or not self._done(entry.name):
            self.active = [name for name in self.active if name != entry.name]
        if not self.active:
            raise error
        return False

    def _collect_finished(self, running: dict["Future[FitOutcome]", tuple[Candidate, int]]) -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            entry, fold = running.pop(future)
            if not self._survives(entry, future.exception()):
                continue
            outcome = future.result()
            trial = self.trials.get(entry.name)
            if outcome.is_cut and trial and fold in trial.fitted:
                continue  # with the rounds that were agreed on: the fit of before stays
            if outcome.is_cut:
                self.timed_out.add(entry.name)
            self._record(entry, fold, outcome)
            if len(self.trials) <= EARLY_CHECKPOINTS and fold == 0:
                self.checkpoint(self)

    def _record(self, entry: Candidate, fold: int, outcome: FitOutcome) -> None:
        if entry.name not in self.trials:
            fold_data = self.fold_data(fold)
            shape = (len(fold_data.y), fold_data.goal.width)
            self.trials[entry.name] = Trial(entry, np.full(shape, np.nan), np.full(shape, np.nan))
            self.active = sorted([*self.active, entry.name], key=self.entry_order.__getitem__)
        trial = self.trials[entry.name]
        valid, mine = self.folds[fold][1], self.holdout_rows[fold]
        trial.raw_prediction[valid], trial.held[mine] = outcome.raw_predictions
        trial.fitted[fold], trial.seconds[fold] = outcome.fitted, outcome.seconds
        share = (time.monotonic() - self.started) / max(self.deadline - self.started, 1e-9)
        self.report_progress(int(5 + 80 * min(1.0, share)), f"{entry.name}, fold {fold + 1}")

    def _has_time_for(self, seconds: float) -> bool:
        return time.monotonic() + seconds + self.refit_seconds() <= self.deadline

    def refit_seconds(self) -> float:
        """Estimates the seconds that refitting the members of the latest blend takes.

        Returns:
            Seconds.
        """
        wanted = [name for name in self.ensemble if name in self.active]
        slowest = sorted(self.active, key=lambda name: self.trials[name].pace)[-1:]
        return self.again_seconds(wanted or slowest) + self.least

    def again_seconds(self, names: Collection[str]) -> float:
        """Estimates the seconds that fitting these once more takes, side by side.

        Args:
            names: Candidates.

        Returns:
            Seconds.
        """
        paces = [self.trials[name].pace for name in names]
        return max([0.0, *paces, sum(paces) / self.workers]) * self.refit_factor

    def weights(self, without: Collection[str] = ()) -> dict[str, float]:
        """Blends the runners over the folds that all of the living have finished.

        Args:
            without: Candidates that are left out.

        Returns:
            Weights by the names of candidates, 1 together.
        """
        fold_data, covered = self.fold_data(0), self.covered()
        names = [name for name in self.active if name not in without]
        raw_predictions = {name: self.trials[name].raw_prediction[covered] for name in names}
        prices = LatencyPenalty(
            {name: self.trials[name].cost for name in names}, fold_data.reading()
        )
        return select(raw_predictions, fold_data.y[covered], fold_data.goal, prices)

    def covered(self) -> Rows:
        """Returns the rows that every living runner has predicted out of fold.

        Returns:
            Numbers of rows.
        """
        done = [set(self.trials[name].fitted) for name in self.active]
        shared = sorted(set.intersection(*done))
        return np.concatenate([self.folds[fold][1] for fold in shared])

    def _prune(self) -> None:
        fold_data, rows = self.fold_data(0), self.covered()
        losses = {name: self.trials[name].loss(fold_data, rows) for name in self.active}
        self.ensemble = self.weights()
        kept = list(self.ensemble)
        for name in sorted(losses, key=losses.__getitem__):
            close = losses[name] <= min(losses.values()) * DROP_LOSS_RATIO
            if name not in kept and close and self._roomy([*kept, name]):
                kept.append(name)
        self.active = [name for name in self.active if name in kept]

    def _roomy(self, names: list[str]) -> bool:
        """Returns whether the time lasts for all folds of these runners."""
        trials = [self.trials[name] for name in names]
        needed = sum(one.step * (len(self.folds) - len(one.fitted)) for one in trials)
        return self.max_candidates is not None or self._has_time_for(needed / self.workers)
