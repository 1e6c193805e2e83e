"""Fits a plan: race, blend, honest metrics, refit, artifact. Runs in a child process."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from modelwright.engines.automl.artifact import Artifact, save, scale_of
from modelwright.engines.automl.estimators.compilation import centre_of, compile_model
from modelwright.engines.automl.estimators.estimator import Compiled, Rows, Stop
from modelwright.engines.automl.monitoring.distributions import binned, distributions
from modelwright.engines.automl.planning.plan import Plan
from modelwright.engines.automl.provenance import hash_of, libraries
from modelwright.engines.automl.reporting.curves import curves, target_of
from modelwright.engines.automl.reporting.importance import importance
from modelwright.engines.automl.reporting.input_domains import input_domains
from modelwright.engines.automl.reporting.model_report import Judged, metrics_of, raced, spoken
from modelwright.engines.automl.search.class_bias import offsets
from modelwright.engines.automl.search.ensemble_selection import blend, sharpness, smearing
from modelwright.engines.automl.search.final_ensemble import (
    Final,
    Members,
    compiled,
    enlarged,
    refit,
    refittable,
)
from modelwright.engines.automl.search.model_search import Race
from modelwright.engines.automl.search.portfolio import load_libraries
from modelwright.engines.automl.search.splits import folds_of, folds_seen, held_out
from modelwright.engines.automl.search.training_data import Lesson, read_lesson
from modelwright_runtime.intervals import Interval
from modelwright_runtime.objective import Floats

FINISH = 0.05
"""The share of the seconds kept for what comes after the last fit."""
AHEAD = 2
"""A fold of rows in the order of time also answers rows so many folds later."""
SAMPLED = 0.6
"""The share of the seconds that the race has where only a part of the rows takes part in it."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a build tells of its model."""

    algorithm: str
    metrics: dict[str, Any]
    input_schema: dict[str, str]
    output_schema: dict[str, str]
    feature_importance: dict[str, float]
    dataset_size: int
    training_seconds: float
    report: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Gives it as plain JSON values, which are not copied: some matrices are large."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class Blend:
    """The members' weights, with everything learnt from their out-of-fold links."""

    weights: dict[str, float]
    smearing: float
    """What is added to their blended links."""
    judged: Judged
    links: dict[str, Any]
    """How links are distributed, to tell drift of the predictions from."""

    def smeared(self, members: Members) -> Members:
        """Gives members with the smearing as one more."""
        return [*members, (1.0, Compiled(np.full(self.judged.goal.width, self.smearing)))]


def fit(
    tables: Sequence[Path],
    plan: Plan,
    folder: Path,
    *,
    deadline: float,
    progress: Callable[[int, str], None],
) -> Result:
    """Builds the model of a plan into a folder before the deadline on the monotonic clock.

    Refuses (`Unplannable`) rows that can't be learnt from. Checkpoints that could be served are
    in the folder from the first fitted model on.
    """
    load_libraries()
    # Fits run side by side; threads of the linear algebra would only stand in their way.
    with threadpool_limits(1, user_api="blas"):
        return Build(tables, plan, folder, deadline, progress).run()


class Build:
    """One build, step by step."""

    def __init__(
        self,
        tables: Sequence[Path],
        plan: Plan,
        folder: Path,
        deadline: float,
        progress: Callable[[int, str], None],
    ) -> None:
        self.plan, self.folder, self.progress = plan, folder, progress
        self.started = time.monotonic()
        self.finish = FINISH * (deadline - self.started)
        self.deadline = deadline - self.finish
        self.shares: dict[str, float] = {}
        self.closing = 0.0
        self.tables = tables
        self.hash = ThreadPoolExecutor(1).submit(hash_of, tables)
        progress(1, "reading")
        self.lesson: Lesson = read_lesson(tables, plan)
        truth, times = self.lesson.truth, self.lesson.times
        held = held_out(truth, plan.seed, times)
        self.held, self.dev = np.flatnonzero(held), np.flatnonzero(~held)
        progress(3, "preparing")
        self.lesson.find_naming(self.dev)
        self.lesson.learn(self.dev)
        times = times if times is None else times[self.dev]
        folds = folds_of(truth[self.dev], plan.seed + 1, times)
        self.folds = [(self.dev[train], self.dev[valid]) for train, valid in folds]
        self.prepared = time.monotonic() - self.started

    def run(self) -> Result:
        """Runs the steps."""
        lesson = self.lesson
        share = self.deadline - self.started
        part = share / (5 if self.plan.max_iterations is None else 2)
        judged = self.folds[: folds_seen(self.folds)]
        lesson.choose_scale(judged, Stop(self.started + part))
        share *= SAMPLED if lesson.total > len(lesson.truth) else 1.0
        race = Race(
            self.folds, self._asked(), lambda fold: lesson.material(fold, self.folds[fold][0]),
            self.started + share, 1.15 * len(lesson.truth) / len(self.folds[0][0]), lesson.workers,
            self.prepared + self.finish / 2, self.plan.max_iterations, self.progress,
            self._checkpoint,
        )  # fmt: skip
        race.run()
        made = self._blend(race, refittable(race, self.deadline))
        self.progress(88, "refitting on all rows")
        final = self._refit(race, made)
        self.progress(96, "writing the artifact")
        return self._finish(final, made, race)

    def _asked(self) -> list[Rows]:
        """Gives the held-out rows that each fold answers: later ones only the latest fold.

        The others answer rows of a later fold too, which tell how wrong they are far ahead.
        """
        others = range(1, len(self.folds))
        if self.lesson.times is not None:
            far = [self.held[:0]] * AHEAD + [valid for _, valid in self.folds]
            return [self.held, *(np.setdiff1d(far[one], self.folds[one][0]) for one in others)]
        return [self.held, *(self.held[one :: len(self.folds)] for one in others)]

    def _blend(self, race: Race, weights: dict[str, float]) -> Blend:
        goal, truth = self.lesson.goal, self.lesson.truth
        covered = race.covered()
        links = {name: race.runners[name].link[covered] for name in weights}
        factor = sharpness(blend(links, weights), truth[covered], goal)
        weights = {name: weight * factor for name, weight in weights.items()}
        link = blend(links, weights)
        above = self._smearing(link, truth[covered])
        link += above
        numeric = goal.task == "regression"
        offset = [] if numeric else offsets(goal, link, truth[covered], self.plan.metric)
        interval = self._interval(race, weights, above, link, covered) if numeric else None
        held = above + blend({one: race.runners[one].held[self.held] for one in weights}, weights)
        seen = truth[self.dev]
        judged = Judged(goal, held, truth[self.held], seen, factor, offset, interval)
        spread = {"links": [binned(one) for one in link.T[:50]]}
        return Blend(weights, above, judged, spread)

    def _interval(
        self, race: Race, weights: dict[str, float], above: float, link: Floats, covered: Rows
    ) -> Interval:
        """Learns intervals by the rows that folds were judged on, and by those far ahead of one."""
        scale, rows = self.lesson.goal.scale, covered
        if self.lesson.times is not None:
            far = np.concatenate([self.held[:0], *race.asked[1:]])
            told = above + blend({one: race.runners[one].held[far] for one in weights}, weights)
            known = ~np.isnan(told[:, 0])
            link, rows = np.concatenate([link, told[known]]), np.append(covered, far[known])
        return Interval.learn(scale.within(link[:, 0]), scale.link(self.lesson.truth[rows]))

    def _smearing(self, link: Floats, truth: Floats) -> float:
        """Gives the smearing of links; what later rows lie above them on the whole is no part."""
        goal = self.lesson.goal
        if self.plan.metric == "mae":
            return 0.0
        if self.lesson.times is not None:
            link = link + (goal.scale.link(truth)[:, None] - link).mean()
        return smearing(link, truth, goal)

    def _refit(self, race: Race, made: Blend) -> Final:
        """Refits the members on all rows; those of the first fold stay where time is short."""
        first = self._first_fold(race, made)
        self._weigh_columns(race, first)
        stop = Stop(self.deadline + self.finish / 2)
        if stop.over():
            return first
        found = None
        if self.lesson.total > len(self.lesson.truth):
            found = enlarged(self.tables, race, self.lesson, made.weights, stop)
        return found or refit(self.lesson, race, made.weights, stop) or first

    def _first_fold(self, race: Race, made: Blend) -> Final:
        members = [(one, race.runners[name].fitted[0]) for name, one in made.weights.items()]
        encoder = race.material(0).encoder
        return Final(self.lesson, encoder, self.lesson.slots(), compiled(members))

    def _weigh_columns(self, race: Race, first: Final) -> None:
        """Measures importance with models that never saw the held-out rows."""
        material = race.material(0)
        model, _ = compile_model(self.lesson.goal, first.encoder, first.members)
        model.warm()
        until = time.monotonic() + self.finish / 2
        self.shares = importance(model, material, self.held, until)

    def _checkpoint(self, race: Race) -> None:
        begun = time.monotonic()
        made = self._blend(race, race.weights())
        self._finish(self._first_fold(race, made), made, race)
        self.closing = max(self.closing, time.monotonic() - begun)
        race.least = self.prepared + max(self.finish / 2, self.closing)

    def _finish(self, final: Final, made: Blend, race: Race) -> Result:
        plan, lesson = self.plan, self.lesson
        members = made.smeared(final.members)
        model, forests = compile_model(final.lesson.goal, final.encoder, members)
        metrics = metrics_of(made.judged)
        result = Result(
            algorithm=" + ".join(made.weights),
            metrics=metrics,
            input_schema={name: plan.types[name] for name in plan.features},
            output_schema={plan.target: plan.output_type},
            feature_importance=self.shares,
            dataset_size=lesson.total,
            training_seconds=round(time.monotonic() - self.started, 3),
            report=self._report(race, made, metrics)
            | {
                "best_rows": len(final.lesson.truth),
                "inputs": input_domains(model.encoder.columns, lesson.frame),
            },
        )
        interval = made.judged.interval
        answers = {
            "target": plan.target,
            "type": plan.output_type,
            "classes": lesson.classes,
            "offset": list(made.judged.offset),
            "interval": interval.to_json() if interval else None,
            "centre": centre_of(model, final.slots, final.lesson.frame),
        }
        manifest = {"seed": plan.seed, "plan": plan.to_json(), **result.to_json()}
        save(self.folder, Artifact(model, forests, answers, manifest, self._training(made, result)))
        return result

    def _training(self, made: Blend, result: Result) -> dict[str, Any]:
        """Gives what later rows and answers are compared with."""
        goal = made.judged.goal
        return {
            "task": goal.task,
            "classes": self.lesson.classes,
            "scale": scale_of(goal),
            "target": self.plan.target,
            "spellings": self.plan.spellings,
            "feature_importance": result.feature_importance,
            "metrics": result.metrics,
            "rows": result.report["rows"],
            "held_out_rows": result.report["held_out_rows"],
            "columns": distributions(self.lesson.frame),
            **made.links,
        }

    def _report(self, race: Race, made: Blend, metrics: dict[str, Any]) -> dict[str, Any]:
        judged, classes = made.judged, self.lesson.classes
        return {
            "weights": made.weights,
            "race": raced(race),
            "failed": race.failed,
            "stopped_by_the_clock": sorted(race.cut),
            "warnings": spoken(metrics, race),
            "naming": sorted(self.lesson.naming),
            "rows": len(self.lesson.truth),
            "held_out_rows": len(self.held),
            "folds": len(self.folds),
            "data_sha256": self.hash.result(),
            "libraries": libraries(),
            "target": target_of(judged.goal, judged.seen, classes),
            "curves": curves(judged.goal, judged.held, judged.truth, classes),
        }
