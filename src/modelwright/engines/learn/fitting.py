"""Fits a plan: race, blend, honest metrics, refit, artifact. Runs in a child process."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from modelwright.engines.learn.artifact import Artifact, save, scale_of
from modelwright.engines.learn.blending import blend, sharpness
from modelwright.engines.learn.compiling import centre_of, compile_model
from modelwright.engines.learn.curves import curves, target_of
from modelwright.engines.learn.decisions import offsets
from modelwright.engines.learn.distributions import binned, distributions
from modelwright.engines.learn.importance import importance
from modelwright.engines.learn.lesson import Lesson, read_lesson
from modelwright.engines.learn.member import Compiled, Fitted, Stop
from modelwright.engines.learn.plan import Plan
from modelwright.engines.learn.race import Race, Runner
from modelwright.engines.learn.reporting import Judged, metrics_of, raced, spoken
from modelwright.engines.learn.splits import deal, folds_for, held_out
from modelwright_client.predictor.columns import Encoder
from modelwright_client.predictor.intervals import Interval

FINISH = 0.05
"""The share of the seconds kept for what comes after the last fit."""
ENOUGH = 0.7
"""A refit that the clock cut below this share of its rounds is not used."""
REFIT = 1.05
"""More rows bear a few more rounds."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a build tells of its model; JSON-ready by `asdict`."""

    algorithm: str
    metrics: dict[str, Any]
    input_schema: dict[str, str]
    output_schema: dict[str, str]
    feature_importance: dict[str, float]
    dataset_size: int
    training_seconds: float
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Blend:
    """The members' weights, with everything learnt from their out-of-fold links."""

    weights: dict[str, float]
    judged: Judged
    links: dict[str, Any]
    """How links are distributed, to tell drift of the predictions from."""


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
        progress(1, "reading")
        self.lesson: Lesson = read_lesson(tables, plan)
        held = held_out(self.lesson.truth, plan.seed)
        self.held, self.dev = np.flatnonzero(held), np.flatnonzero(~held)
        progress(3, "preparing")
        self.lesson.learn(self.dev)
        parts = folds_for(len(self.dev))
        dealt = deal(self.lesson.truth[self.dev], parts, plan.seed + 1)
        self.folds = [(self.dev[dealt != one], self.dev[dealt == one]) for one in range(parts)]

    def run(self) -> Result:
        """Runs the steps."""
        lesson, prepared = self.lesson, time.monotonic() - self.started
        share = (self.deadline - self.started) / (5 if self.plan.max_iterations is None else 2)
        lesson.choose_scale(*self.folds[0], Stop(self.started + share))
        race = Race(
            self.folds, self.held, lambda fold: lesson.material(fold, self.folds[fold][0]),
            self.deadline, 1.15 * len(lesson.truth) / len(self.folds[0][0]), lesson.workers,
            prepared, self.plan.max_iterations, self.progress, self._checkpoint,
        )  # fmt: skip
        race.run()
        made = self._blend(race)
        self.progress(88, "refitting on all rows")
        encoder, members = self._refit(race, made.weights)
        self.progress(96, "writing the artifact")
        return self._finish(encoder, members, made, race)

    def _blend(self, race: Race) -> Blend:
        goal, truth = self.lesson.goal, self.lesson.truth
        weights, covered = race.weights(), race.covered()
        links = {name: race.runners[name].link[covered] for name in weights}
        factor = sharpness(blend(links, weights), truth[covered], goal)
        weights = {name: weight * factor for name, weight in weights.items()}
        link = blend(links, weights)
        numeric = goal.task == "regression"
        offset = [] if numeric else offsets(goal, link, truth[covered], self.plan.metric)
        interval = Interval.learn(link[:, 0], goal.scale.link(truth[covered])) if numeric else None
        held = blend({name: race.runners[name].held[self.held] for name in weights}, weights)
        seen = truth[self.dev]
        judged = Judged(goal, held, truth[self.held], seen, factor, offset, interval)
        spread = {"links": [binned(one) for one in link.T[:50]]}
        return Blend(weights, judged, spread)

    def _refit(
        self, race: Race, weights: dict[str, float]
    ) -> tuple[Encoder, list[tuple[float, Compiled]]]:
        """Refits the members side by side; one that would come too late is left out."""
        everything = np.arange(len(self.lesson.truth))
        first_fold = [(weight, race.runners[name].fitted[0]) for name, weight in weights.items()]
        encoder = race.material(0).encoder
        self._weigh_columns(race, first_fold)
        self.lesson.learn(everything)
        self.lesson.widen()
        material = self.lesson.material(-1, everything)

        def again(name: str) -> Fitted | None:
            runner, now = race.runners[name], time.monotonic()
            if now + runner.step * race.refit_factor > self.deadline + self.finish / 2:
                return None
            stop = Stop(self.deadline + self.finish / 2)
            entry, rounds = runner.contender, rounds_of(runner)
            try:
                fitted = entry.family(material, everything, None, rounds, stop, entry.settings)
            except Exception as error:  # noqa: BLE001 - the other members make the model
                race.failed[name] = f"{type(error).__name__}: {error}"
                return None
            return fitted if fitted.rounds >= rounds * ENOUGH else None

        order = sorted(weights, key=weights.__getitem__, reverse=True)
        with ThreadPoolExecutor(self.lesson.workers) as pool:
            found = dict(zip(order, pool.map(again, order), strict=True))
        done = [(weights[name], fitted) for name, fitted in found.items() if fitted is not None]
        if not done:
            return encoder, compiled(first_fold)
        total, kept = sum(weights.values()), sum(weight for weight, _ in done)
        return material.encoder, compiled([(one * total / kept, fitted) for one, fitted in done])

    def _weigh_columns(self, race: Race, members: list[tuple[float, Fitted]]) -> None:
        """Measures importance with models that never saw the held-out rows."""
        material = race.material(0)
        model, _ = compile_model(self.lesson.goal, material.encoder, compiled(members))
        model.warm()
        until = time.monotonic() + self.finish / 2
        self.shares = importance(model, material, self.held, until)

    def _checkpoint(self, race: Race) -> None:
        made = self._blend(race)
        members = [(one, race.runners[name].fitted[0]) for name, one in made.weights.items()]
        self._finish(race.material(0).encoder, compiled(members), made, race)

    def _finish(
        self, encoder: Encoder, members: list[tuple[float, Compiled]], made: Blend, race: Race
    ) -> Result:
        plan, lesson = self.plan, self.lesson
        model, forests = compile_model(lesson.goal, encoder, members)
        metrics = metrics_of(made.judged)
        result = Result(
            algorithm=" + ".join(made.weights),
            metrics=metrics,
            input_schema={name: plan.types[name] for name in plan.features},
            output_schema={plan.target: plan.output_type},
            feature_importance=self.shares,
            dataset_size=lesson.total,
            training_seconds=round(time.monotonic() - self.started, 3),
            report=self._report(race, made, metrics),
        )
        interval = made.judged.interval
        answers = {
            "target": plan.target,
            "type": plan.output_type,
            "classes": lesson.classes,
            "offset": list(made.judged.offset),
            "interval": interval.to_json() if interval else None,
            "centre": centre_of(model, lesson.slots(), lesson.frame),
        }
        manifest = {"seed": plan.seed, "plan": plan.to_json(), **asdict(result)}
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
            "warnings": spoken(metrics),
            "rows": len(self.lesson.truth),
            "held_out_rows": len(self.held),
            "folds": len(self.folds),
            "target": target_of(judged.goal, judged.seen, classes),
            "curves": curves(judged.goal, judged.held, judged.truth, classes),
        }


def compiled(members: Sequence[tuple[float, Fitted]]) -> list[tuple[float, Compiled]]:
    """Compiles members beside their weights."""
    return [(weight, fitted.compiled()) for weight, fitted in members]


def rounds_of(runner: Runner) -> int:
    """Gives the rounds of a refit: the mean over the folds, a little more for the added rows."""
    mean = float(np.mean([fitted.rounds for fitted in runner.fitted.values()]))
    steady = runner.contender.name.startswith(("Linear", "ExtraTrees", "Constant"))
    return max(1, round(mean if steady else mean * REFIT))
