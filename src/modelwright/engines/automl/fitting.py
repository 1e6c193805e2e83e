"""Fits a plan: race, blend, honest metrics, refit, artifact. Runs in a child process."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from modelwright.engines.automl.artifact import Artifact, save, scale_of
from modelwright.engines.automl.estimators.compilation import centred, compile_model
from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.families import load_libraries
from modelwright.engines.automl.estimators.fitted_model import CompiledModel
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.monitoring.distributions import binned, distributions
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.automl.planning.split_options import (
    refuse_few_earlier_rows,
    refuse_few_rows,
    refuse_uncounted_side,
)
from modelwright.engines.automl.provenance import hash_of, libraries
from modelwright.engines.automl.reporting.curves import curves, target_of
from modelwright.engines.automl.reporting.importance import importance
from modelwright.engines.automl.reporting.input_domains import input_domains
from modelwright.engines.automl.reporting.model_report import (
    HoldoutPredictions,
    holdout_metrics,
    leaderboard,
    warning_texts,
)
from modelwright.engines.automl.reporting.naive_baselines import naive_predictions
from modelwright.engines.automl.search.class_bias import class_bias, threshold_bias
from modelwright.engines.automl.search.ensemble_selection import (
    blend,
    inverse_temperature,
    smearing_correction,
)
from modelwright.engines.automl.search.executors import FitExecutor, ThreadExecutor
from modelwright.engines.automl.search.final_ensemble import (
    Ensemble,
    FinalEnsemble,
    compiled,
    enlarged,
    refit,
    refittable,
)
from modelwright.engines.automl.search.model_search import ModelSearch
from modelwright.engines.automl.search.splits import comparison_folds, holdout_mask, make_folds
from modelwright.engines.automl.search.training_data import TrainingData, read_training_data
from modelwright_runtime.intervals import Interval
from modelwright_runtime.objective import Floats

FINISH_SHARE = 0.05
"""The share of the seconds kept for what comes after the last fit."""
REFIT_TIME_FACTOR = 1.15
"""A refit takes so many times as long for each row as a fit of a fold did."""
TRANSFORM_SHARE = 0.2
"""The share of the seconds that the scale of the target may be chosen in."""
TRANSFORM_SHARE_CAPPED = 0.5
"""The same where the number of candidates is capped, so that the same build on a busier machine
gives the same model."""
MAX_COMPARED_OUTPUTS = 50
"""Outputs whose distributions are kept, to tell drift of the predictions from."""
FOLDS_AHEAD = 2
"""A fold of rows in the order of time also answers rows so many folds later."""
SAMPLED_SEARCH_SHARE = 0.6
"""The share of the seconds that the search has where only a part of the rows takes part in it."""


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
        """Returns it as plain JSON values, which are not copied: some matrices are large.

        Returns:
            Members of a JSON object.
        """
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class Blend:
    """The members' weights, with everything learnt from their out-of-fold raw predictions."""

    weights: dict[str, float]
    smearing_correction: float
    """What is added to their blended raw predictions."""
    judged: HoldoutPredictions
    raw_predictions: dict[str, Any]
    """How raw predictions are distributed, to tell drift of the predictions from."""

    def smeared(self, members: Ensemble) -> Ensemble:
        """Returns members with the smearing as one more.

        Args:
            members: Weights with their models.

        Returns:
            Members with a constant one behind them.
        """
        return [
            *members,
            (1.0, CompiledModel(np.full(self.judged.goal.width, self.smearing_correction))),
        ]


@dataclass(frozen=True, slots=True)
class BuildInputs:
    """What a build is given."""

    tables: Sequence[Path]
    """Parquet files, one after the other."""
    plan: Plan
    """What is learnt from what."""
    folder: Path
    """An existing folder, which the artifact is written into."""
    _: KW_ONLY
    deadline: float
    """When the artifact must be there, in seconds of the monotonic clock."""
    progress: Callable[[int, str], None]
    """Told the percentage done and the present stage."""
    executor: FitExecutor | None = None
    """Runs the fits and stays open; None for threads, one for each processor up to four."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units of columns by their names, where they are known."""


def fit(given: BuildInputs) -> Result:
    """Builds the model of a plan into a folder before the deadline.

    Checkpoints that could be served are in the folder from the first fitted model on.

    Args:
        given: The tables, the plan, and where and until when to build.

    Returns:
        The metrics and what else is stored of the version.

    Raises:
        PlanError: The rows can't be learnt from.
    """
    if given.plan.max_iterations is None:  # else few families race, and each loads what it needs
        load_libraries()
    # Fits run side by side; threads of the linear algebra would only stand in their way.
    with threadpool_limits(1, user_api="blas"):
        return Build(given).run()


class Build:
    """One build, step by step."""

    def __init__(self, given: BuildInputs) -> None:
        self.plan, self.folder, self.progress = given.plan, given.folder, given.progress
        self.units = given.units
        self.started = time.monotonic()
        self.finish = FINISH_SHARE * (given.deadline - self.started)
        """The seconds kept for what comes after the last fit."""
        self.deadline = given.deadline - self.finish
        """When the last fit ends."""
        self.shares: dict[str, float] = {}
        """The importance of each column."""
        self.closing = 0.0
        """The seconds that the slowest checkpoint took."""
        self.tables = given.tables
        self.hash = ThreadPoolExecutor(1).submit(hash_of, self.tables)
        self.progress(1, "reading")
        self.training: TrainingData = read_training_data(self.tables, self.plan)
        self.executor = given.executor or ThreadExecutor(self.training.workers)
        self.training.threads = self.training.threads if given.executor is None else 1
        y, times = self.training.y, self.training.times
        groups = self.training.groups
        held = self._marked()
        if times is not None:
            refuse_few_earlier_rows(self.plan.later_by, times)
        if held is None:
            held = holdout_mask(y, self.plan.seed, times, groups)
        self.held, self.dev = np.flatnonzero(held), np.flatnonzero(~held)
        self.dev = self._apart(self.dev, self.held)
        if self.training.weights is not None:
            refuse_uncounted_side(self.plan.sample_weight or "", self.training.weights, held)
        self.progress(3, "preparing")
        self.training.find_nominal_integers(self.dev)
        self.training.fit_encoder(self.dev)
        times = times if times is None else times[self.dev]
        groups = groups if groups is None else groups[self.dev]
        folds = make_folds(y[self.dev], self.plan.seed + 1, times, groups)
        self.folds = [(self._apart(self.dev[train], self.dev[valid]), self.dev[valid])
                      for train, valid in folds]  # fmt: skip
        self.folds = self._counting(self.folds)
        self.prepared = time.monotonic() - self.started
        """The seconds that reading and encoding took."""

    def _apart(self, learnt: Rows, judged: Rows) -> Rows:
        """Leaves out of rows to learn from the copies of rows to be judged on."""
        copies = self.training.copies
        if copies is None:
            return learnt
        shared = np.isin(copies[learnt], copies[judged])
        return learnt if shared.all() else learnt[~shared]

    def _counting(self, folds: list[tuple[Rows, Rows]]) -> list[tuple[Rows, Rows]]:
        """Leaves out folds where no row counts on one side; refuses weights that leave none."""
        weights = self.training.weights
        if weights is None:
            return folds
        able = [one for one in folds if all(weights[rows].any() for rows in one)]
        if not able:
            raise PlanError(
                "Too few rows count: no part of those that are learnt from can be judged by the"
                f" others, as their weights in `{self.plan.sample_weight}` are 0 or missing. Give"
                " more of them a weight, or leave `sample_weight` out.",
                field="sample_weight",
            )
        return able

    def _marked(self) -> NDArray[np.bool_] | None:
        """Returns the rows that a column of the user's own holds out, if there is one."""
        marked = self.training.marked
        if marked is None:
            return None
        refuse_few_rows(self.plan.split_column or "", int(marked.sum()), len(marked))
        return marked

    def run(self) -> Result:
        """Runs the steps.

        Returns:
            The metrics and what else is stored of the version.
        """
        training = self.training
        share = self.deadline - self.started
        is_capped = self.plan.max_iterations is not None
        part = share * (TRANSFORM_SHARE_CAPPED if is_capped else TRANSFORM_SHARE)
        judged = self.folds[: comparison_folds(self.folds)]
        training.choose_target_transform(judged, Deadline(self.started + part))
        share *= SAMPLED_SEARCH_SHARE if training.total > len(training.y) else 1.0
        search = ModelSearch(
            self.folds,
            self._asked(),
            lambda fold: training.fold_data(fold, self.folds[fold][0]),
            deadline=self.started + share,
            refit_factor=REFIT_TIME_FACTOR * len(training.y) / len(self.folds[0][0]),
            executor=self.executor,
            least=self.prepared + self.finish / 2,
            max_candidates=self.plan.max_iterations,
            report_progress=self.progress,
            checkpoint=self._checkpoint,
        )
        search.run()
        made = self._blend(search, refittable(search, self.deadline))
        self.progress(88, "refitting on all rows")
        final = self._refit(search, made)
        self.progress(96, "writing the artifact")
        return self._finish(final, made, search)

    def _asked(self) -> list[Rows]:
        """Returns the held-out rows that each fold answers: later ones only the latest fold.

        The others answer rows of a later fold too, which tell how wrong they are far ahead.
        """
        others = range(1, len(self.folds))
        if self.training.times is not None:
            far = [self.held[:0]] * FOLDS_AHEAD + [valid for _, valid in self.folds]
            return [self.held, *(np.setdiff1d(far[one], self.folds[one][0]) for one in others)]
        return [self.held, *(self.held[one :: len(self.folds)] for one in others)]

    def _blend(self, search: ModelSearch, weights: dict[str, float]) -> Blend:
        """Calibrates the chosen members together, on rows that none of them was fitted on."""
        goal, y = self.training.goal, self.training.y
        covered = search.covered()
        raw_predictions = {name: search.trials[name].raw_prediction[covered] for name in weights}
        factor = inverse_temperature(blend(raw_predictions, weights), y[covered], goal)
        weights = {name: weight * factor for name, weight in weights.items()}
        raw_prediction = blend(raw_predictions, weights)
        above = self._smearing(raw_prediction, y[covered])
        raw_prediction += above
        numeric = goal.task == "regression"
        offset = [] if numeric else class_bias(goal, raw_prediction, y[covered], self.plan.metric)
        if self.plan.threshold is not None:
            offset = threshold_bias(self.plan.threshold)
        interval = (
            self._interval(search, weights, above, raw_prediction, covered) if numeric else None
        )
        held = above + blend({one: search.trials[one].held[self.held] for one in weights}, weights)
        seen = y[self.dev]
        training, naive = self.training, {}
        if training.times is not None:
            naive = naive_predictions(y, training.times, self.held)
        judged = HoldoutPredictions(
            goal,
            held,
            y[self.held],
            seen,
            factor,
            offset,
            interval,
            naive,
            self.plan.threshold,
            self.plan.costs,
            None if training.weights is None else training.weights[self.held],
        )
        spread = {"links": [binned(one) for one in raw_prediction.T[:MAX_COMPARED_OUTPUTS]]}
        return Blend(weights, above, judged, spread)

    def _interval(
        self,
        search: ModelSearch,
        weights: dict[str, float],
        above: float,
        raw_prediction: Floats,
        covered: Rows,
    ) -> Interval:
        """Learns intervals by the rows that folds were judged on, and by those far ahead of one."""
        scale, rows = self.training.goal.scale, covered
        if self.training.times is not None:
            far = np.concatenate([self.held[:0], *search.holdout_rows[1:]])
            told = above + blend({one: search.trials[one].held[far] for one in weights}, weights)
            known = ~np.isnan(told[:, 0])
            raw_prediction, rows = (
                np.concatenate([raw_prediction, told[known]]),
                np.append(covered, far[known]),
            )
        return Interval.fit(
            scale.clip(raw_prediction[:, 0]), scale.transform(self.training.y[rows])
        )

    def _smearing(self, raw_prediction: Floats, y: Floats) -> float:
        """Returns the smearing of raw predictions.

        What later rows lie above them on the whole is no part.
        """
        goal = self.training.goal
        if self.plan.metric == "mae":
            return 0.0
        if self.training.times is not None:
            raw_prediction = (
                raw_prediction + (goal.scale.transform(y)[:, None] - raw_prediction).mean()
            )
        return smearing_correction(raw_prediction, y, goal)

    def _refit(self, search: ModelSearch, made: Blend) -> FinalEnsemble:
        """Refits the members on all rows; those of the first fold stay where time is short."""
        first = self._first_fold(search, made)
        self._weigh_columns(search, first)
        stop = Deadline(self.deadline + self.finish / 2)
        if stop.expired():
            return first
        found = None
        if self.training.total > len(self.training.y):
            # What the clock stops too early leaves the time to refit the search's rows.
            kept = 0.0 if self.plan.max_iterations else search.again_seconds(made.weights)
            early = Deadline(self.deadline + self.finish / 2 - kept)
            found = enlarged(self.tables, search, self.training, made.weights, early)
        return found or refit(self.training, search, made.weights, stop) or first

    def _first_fold(self, search: ModelSearch, made: Blend) -> FinalEnsemble:
        members = [(one, search.trials[name].fitted[0]) for name, one in made.weights.items()]
        encoder = search.fold_data(0).encoder
        return FinalEnsemble(self.training, encoder, self.training.features(), compiled(members))

    def _weigh_columns(self, search: ModelSearch, first: FinalEnsemble) -> None:
        """Measures importance with models that never saw the held-out rows."""
        fold_data = search.fold_data(0)
        model = compile_model(self.training.goal, first.encoder, first.members).opened()
        until = time.monotonic() + self.finish / 2
        self.shares = importance(model, fold_data, self.held, until)

    def _checkpoint(self, search: ModelSearch) -> None:
        begun = time.monotonic()
        made = self._blend(search, search.weights())
        self._finish(self._first_fold(search, made), made, search)
        self.closing = max(self.closing, time.monotonic() - begun)
        search.least = self.prepared + max(self.finish / 2, self.closing)

    def _finish(self, final: FinalEnsemble, made: Blend, search: ModelSearch) -> Result:
        """Compiles the final members, writes the artifact, and tells what was learnt."""
        plan, training = self.plan, self.training
        members = made.smeared(final.members)
        model = compile_model(final.training.goal, final.encoder, members)
        model = centred(model, final.features, final.training.frame)
        metrics = holdout_metrics(made.judged)
        result = Result(
            algorithm=" + ".join(made.weights),
            metrics=metrics,
            input_schema={name: plan.types[name] for name in plan.features},
            output_schema={plan.target: plan.output_type},
            feature_importance=self.shares,
            dataset_size=training.total,
            training_seconds=round(time.monotonic() - self.started, 3),
            report=self._report(search, made, metrics)
            | {
                "best_rows": len(final.training.y),
                "inputs": input_domains(model.encoder.columns, training.frame, self.units),
            },
        )
        interval = made.judged.interval
        answers = {
            "target": plan.target,
            "type": plan.output_type,
            "classes": training.classes,
            "offset": list(made.judged.offset),
            "interval": interval.to_json() if interval else None,
        }
        manifest = {"seed": plan.seed, "plan": plan.to_json(), **result.to_json()}
        save(self.folder, Artifact(model, answers, manifest, self._training(made, result)))
        return result

    def _training(self, made: Blend, result: Result) -> dict[str, Any]:
        """Returns what later rows and answers are compared with."""
        goal = made.judged.goal
        return {
            "task": goal.task,
            "classes": self.training.classes,
            "scale": scale_of(goal),
            "target": self.plan.target,
            "spellings": self.plan.spellings,
            "feature_importance": result.feature_importance,
            "metrics": result.metrics,
            "rows": result.report["rows"],
            "held_out_rows": result.report["held_out_rows"],
            "columns": distributions(self.training.frame),
            **made.raw_predictions,
        }

    def _report(self, search: ModelSearch, made: Blend, metrics: dict[str, Any]) -> dict[str, Any]:
        judged, classes = made.judged, self.training.classes
        return {
            "weights": made.weights,
            "race": leaderboard(search),
            "failed": search.failed,
            "stopped_by_the_clock": sorted(search.timed_out),
            "warnings": warning_texts(metrics, search, classes),
            "naming": sorted(self.training.naming),
            "rows": len(self.training.y),
            "held_out_rows": len(self.held),
            "folds": len(self.folds),
            "data_sha256": self.hash.result(),
            "libraries": libraries(),
            "target": target_of(judged.goal, judged.seen, classes),
            "curves": curves(judged.goal, judged.held, judged.y, classes),
        }
