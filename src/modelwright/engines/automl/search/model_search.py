"""Races contenders over folds, round-robin, under one deadline; keeps out-of-fold links.

As many fits run side by side as there are processors: small tables gain little from more threads
in one fit, and lose much when another process wants a processor.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np

from modelwright.engines.automl.estimators.estimator import Fitted, Material, Rows, Stop
from modelwright.engines.automl.search.ensemble_selection import Prices, select
from modelwright.engines.automl.search.portfolio import (
    BASELINE,
    MANY,
    Contender,
    portfolio,
    variation,
)
from modelwright.engines.automl.search.splits import folds_seen
from modelwright.engines.automl.search.trial import Runner

SHARE, LONG_SHARE = 0.12, 0.35
"""The first fold of a contender may take this share of the whole budget; more when few are to
race, so that the same build on a busier machine gives the same model."""
CLOSE = 1.2
"""A contender whose loss is above this multiple of the best is dropped after its first folds."""
VARIATIONS, ROWS_A_VARIATION, TURN, IDLE = 200, 100, 4, 6
"""Variations of the best: at most so many, fewer where few rows tell them apart, so many a turn;
they end when so many turns gave the blend none."""
FIRST = 2
"""A checkpoint is written after each of the first so many contenders, the baseline among them."""
FEW = 1500
"""Up to so many rows of a fold, all folds of a contender are fitted again with the same rounds."""
SLACK = 3.0
"""A later fold is cut when it takes so many times what the first one took."""


@dataclass(slots=True)
class Race:
    """The state of a race."""

    folds: list[tuple[Rows, Rows]]
    asked: list[Rows]
    """The held-out rows that each fold's models are asked about; the last word counts."""
    material: Callable[[int], Material]
    deadline: float
    refit_factor: float
    workers: int
    least: float
    """The seconds that a refit takes beside its fits: encoding again, weighing the columns."""
    candidates: int | None
    """A cap on the contenders; with one, the clock decides nothing before the deadline."""
    told: Callable[[int, str], None]
    checkpoint: Callable[["Race"], None]
    started: float = field(default_factory=time.monotonic)
    runners: dict[str, Runner] = field(default_factory=dict)
    alive: list[str] = field(default_factory=list)
    entered: dict[str, int] = field(default_factory=dict)
    """The order in which contenders were entered; they end in whichever order they are ready."""
    tried: list[Contender] = field(default_factory=list)
    """Those that were fitted at least once, or failed at it."""
    failed: dict[str, str] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    """Contenders that the clock stopped, which another build may carry further."""
    wanted: Collection[str] = ()
    """The members of the latest blend."""

    def run(self) -> None:
        """Runs the portfolio over all folds, then variations of it, while the time lasts."""
        first = self.material(0)
        told = first.kinds, first.goal.width, len(self.folds[0][0])
        entries = portfolio(*told, later=bool(first.later))[: self.candidates]
        self._wave([BASELINE, *entries], self._first_folds())
        self._prune()
        self.checkpoint(self)
        self._finish_folds()
        self._settle()
        self.wanted = self.weights()
        if first.goal.width <= MANY:
            self._vary(min(VARIATIONS, len(first.truth) // ROWS_A_VARIATION), first.seed)

    def _vary(self, most: int, seed: int) -> None:
        """Lets variations of the blend's members race; those it does not want are dropped."""
        if self.candidates is not None:
            most = min(most, self.candidates - len(self.entered) + 1)
        idle = 0
        for number in range(0, most, TURN):
            last, settled = min(number + TURN, most), self.alive
            timely = self._wave(self._drawn(range(number, last), seed), self._first_folds())
            self.wanted = self.weights()
            self.alive = [name for name in self.alive if name in settled or name in self.wanted]
            idle = 0 if len(self.alive) > len(settled) else idle + 1
            timely = timely and self._finish_folds()
            if not timely:
                self.alive = [name for name in self.alive if name in settled or self._done(name)]
            self._settle()
            if not timely or idle == IDLE:
                break

    def _drawn(self, numbers: range, seed: int) -> list[Contender]:
        """Draws variations, each once."""
        parents = [self.runners[name].contender for name in self.wanted]
        known = [(one.family, one.settings, one.lines) for one in self.tried]
        drawn = []
        for number in numbers:
            one = variation(number, seed, parents)
            if (one.family, one.settings, one.lines) not in known:
                known.append((one.family, one.settings, one.lines))
                drawn.append(one)
        return drawn

    def _done(self, name: str) -> bool:
        return len(self.runners[name].fitted) == len(self.folds)

    def _first_folds(self) -> range:
        """Gives the folds after which contenders are compared."""
        return range(folds_seen(self.folds))

    def _finish_folds(self) -> bool:
        entries = [self.runners[name].contender for name in self.alive]
        return self._wave(entries, range(len(self.folds)))

    def _settle(self) -> None:
        """Fits the folds of few rows again, with the rounds that they take on average.

        Those that a fold finds on the few rows that judge it make it look better than it is.
        """
        if len(self.folds[0][0]) > FEW:
            return
        entries = []
        for name in self.alive:
            runner = self.runners[name]
            if self._done(name) and name != BASELINE.name:
                runner.agreed = runner.agreed or max(1, round(runner.rounds))
                entries.append(runner.contender)
        self._wave(entries, range(len(self.folds)), again=True)

    def _wave(
        self, entries: Sequence[Contender], folds: Iterable[int], *, again: bool = False
    ) -> bool:
        """Fits entries on folds, fold by fold; says whether there was time for all of them.

        `again` fits those that were fitted before, with the rounds that were agreed on.
        """
        running: dict[Future[tuple[Fitted, float]], tuple[Contender, int]] = {}
        for entry in entries:
            self.entered.setdefault(entry.name, len(self.entered))
        timely, jobs = True, [(fold, entry) for fold in folds for entry in entries]
        with ThreadPoolExecutor(self.workers) as pool:
            for fold, entry in jobs:
                runner = self.runners.get(entry.name)
                done = (runner.settled if again else runner.fitted) if runner else ()
                if entry.name in self.failed or fold in done or self._lags(entry.name):
                    continue
                if len(running) >= self.workers:
                    self._collect(running)
                timely = not self.runners or self._affords(self._guess(entry))
                if not timely:
                    break
                if entry not in self.tried:
                    self.tried.append(entry)
                stop = self._stop(entry)
                if runner and again:
                    runner.settled.add(fold)
                rounds = runner.agreed if runner else None
                job = pool.submit(self._fit, self.material(fold), entry, fold, stop, rounds)
                running[job] = (entry, fold)
            while running:
                self._collect(running)
        return timely

    def _fit(
        self, material: Material, entry: Contender, fold: int, stop: Stop, rounds: int | None
    ) -> tuple[Fitted, float]:
        begun = time.monotonic()
        train, valid = self.folds[fold]
        judging = valid if rounds is None else None
        fitted = entry.fit(material, train, judging, rounds, stop)
        if stop.over() and rounds is not None:
            return self.runners[entry.name].known(fold)
        if stop.over():
            self.cut.add(entry.name)
        return fitted, time.monotonic() - begun

    def _stop(self, entry: Contender) -> Stop:
        """Gives the moment at which a fit is cut: its cap, or when the refit must begin."""
        runner = self.runners.get(entry.name)
        share = (self.deadline - self.started) * (SHARE if self.candidates is None else LONG_SHARE)
        cap = share if entry.name in self.cut or not runner else max(share, runner.step * SLACK)
        left = self.deadline - self.refit_seconds() - time.monotonic()
        return Stop(time.monotonic() + min(cap, max(left, self.least)))

    def _guess(self, entry: Contender) -> float:
        """Guesses what a fold of an entry takes: as before, or as the quickest of its family."""
        if entry.name in self.runners:
            return self.runners[entry.name].step
        kin = [one.step for one in self.runners.values() if one.contender.family is entry.family]
        return min(kin, default=0.0)

    def _lags(self, name: str) -> bool:
        """Drops a contender that the clock cut in the first folds, while another was far better."""
        runner = self.runners.get(name)
        if not runner or name not in self.cut or len(runner.fitted) >= folds_seen(self.folds):
            return False
        material, rows = self.material(0), self.folds[0][1]
        losses = {one: self.runners[one].loss(material, rows) for one in {name, *self.alive}}
        if not losses[name] > CLOSE * np.nanmin([*losses.values()]):  # not a number: yet to come
            return False
        self.alive = [one for one in self.alive if one != name]
        return True

    def _survived(self, entry: Contender, error: BaseException | None) -> bool:
        """Drops a contender that failed; only when none is left does the race fail with it.

        One whose folds were all fitted before stays as it was then.
        """
        if error is None:
            return True
        self.failed[entry.name] = f"{type(error).__name__}: {error}"
        if entry.name not in self.runners or not self._done(entry.name):
            self.alive = [name for name in self.alive if name != entry.name]
        if not self.alive:
            raise error
        return False

    def _collect(
        self, running: dict["Future[tuple[Fitted, float]]", tuple[Contender, int]]
    ) -> None:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            entry, fold = running.pop(future)
            if not self._survived(entry, future.exception()):
                continue
            self._keep(entry, fold, *future.result())
            if len(self.runners) <= FIRST and fold == 0:
                self.checkpoint(self)

    def _keep(self, entry: Contender, fold: int, fitted: Fitted, seconds: float) -> None:
        if entry.name not in self.runners:
            material = self.material(fold)
            shape = (len(material.truth), material.goal.width)
            self.runners[entry.name] = Runner(entry, np.full(shape, np.nan), np.full(shape, np.nan))
            self.alive = sorted([*self.alive, entry.name], key=self.entered.__getitem__)
        runner = self.runners[entry.name]
        valid, mine = self.folds[fold][1], self.asked[fold]
        runner.link[valid] = fitted.link(valid)
        if len(mine):
            runner.held[mine] = fitted.link(mine)
        runner.fitted[fold], runner.seconds[fold] = fitted, seconds
        share = (time.monotonic() - self.started) / max(self.deadline - self.started, 1e-9)
        self.told(int(5 + 80 * min(1.0, share)), f"{entry.name}, fold {fold + 1}")

    def _affords(self, seconds: float) -> bool:
        return time.monotonic() + seconds + self.refit_seconds() <= self.deadline

    def refit_seconds(self) -> float:
        """Estimates the seconds that refitting the members of the latest blend takes."""
        wanted = [name for name in self.wanted if name in self.alive]
        slowest = sorted(self.alive, key=lambda name: self.runners[name].pace)[-1:]
        return self.again_seconds(wanted or slowest) + self.least

    def again_seconds(self, names: Collection[str]) -> float:
        """Estimates the seconds that fitting these once more takes, side by side."""
        paces = [self.runners[name].pace for name in names]
        return max([0.0, *paces, sum(paces) / self.workers]) * self.refit_factor

    def weights(self, without: Collection[str] = ()) -> dict[str, float]:
        """Blends the runners over the folds that all of the living have finished."""
        material, covered = self.material(0), self.covered()
        names = [name for name in self.alive if name not in without]
        links = {name: self.runners[name].link[covered] for name in names}
        prices = Prices({name: self.runners[name].cost for name in names}, material.reading())
        return select(links, material.truth[covered], material.goal, prices)

    def covered(self) -> Rows:
        """Gives the rows that every living runner has predicted out of fold."""
        done = [set(self.runners[name].fitted) for name in self.alive]
        shared = sorted(set.intersection(*done))
        return np.concatenate([self.folds[fold][1] for fold in shared])

    def _prune(self) -> None:
        material, rows = self.material(0), self.covered()
        losses = {name: self.runners[name].loss(material, rows) for name in self.alive}
        self.wanted = self.weights()
        kept = list(self.wanted)
        for name in sorted(losses, key=losses.__getitem__):
            close = losses[name] <= min(losses.values()) * CLOSE
            if name not in kept and close and self._roomy([*kept, name]):
                kept.append(name)
        self.alive = [name for name in self.alive if name in kept]

    def _roomy(self, names: list[str]) -> bool:
        """Says whether the time lasts for all folds of these runners."""
        runners = [self.runners[name] for name in names]
        needed = sum(one.step * (len(self.folds) - len(one.fitted)) for one in runners)
        return self.candidates is not None or self._affords(needed / self.workers)
