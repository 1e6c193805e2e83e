"""The rows of a build: read, labelled and encoded, as each fold is to see them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy import sparse

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows, feature_kinds
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.features.encoding import Encoded, fit_encoder, with_tables
from modelwright.engines.automl.features.target_encoding import (
    cross_fit,
    n_target_statistics,
    statistic_targets,
)
from modelwright.engines.automl.features.text_features import weights_of
from modelwright.engines.automl.planning.load_columns import (
    Frame,
    full_numbers,
    raw_column,
    read_rows,
    read_table,
    target_values,
)
from modelwright.engines.automl.planning.nominal_integers import names_things, same_groups
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.automl.planning.row_copies import numbered, row_numbers
from modelwright.engines.automl.planning.split_options import holds_out
from modelwright.engines.automl.planning.time_order import known_moments
from modelwright.engines.automl.search.executors import MAX_WORKERS
from modelwright.engines.automl.search.portfolio import LINEAR, Candidate, over_seasonal_trend
from modelwright.system.processors import usable_processors
from modelwright_runtime.columns import Features, TextColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Floats, Objective, TargetTransform

MAX_ROWS = 250_000
"""Of more rows a sample is learnt from."""
MAX_CELLS = 8_000_000
"""Of more values of features a sample of the rows is, too."""
MIN_SAMPLE_ROWS = 20_000
"""Rows that such a sample has at least."""
QUICK_ROWS = 50_000
"""Rows that even a search of few seconds learns from."""
ROWS_PER_SECOND = 2000
"""Rows more for each second of a search."""
QUICK = (Candidate("Quick", fit_lightgbm, {"learning_rate": 0.1, "num_leaves": 31}), LINEAR)
"""What the scale of a target is chosen by; the second only of few rows, where it counts more."""
FEW_ROWS = 20_000
"""Of more rows the first quick candidate alone chooses the scale of a target."""
STANDARD_ERRORS = 1.645
"""The standard errors of what logarithms save that chance passes once in twenty times."""
MAX_INTEGERS = 200
"""Integers that may turn out to name things, the first ones of a table."""


class TrainingData:
    """Features and target of a plan; `learn` fits the encoder on rows, `data` fills a fold."""

    def __init__(
        self, plan: Plan, frame: Frame, goal: Objective, y: Floats, classes: list[Any]
    ) -> None:
        self.plan, self.frame, self.goal = plan, frame, goal
        self.y, self.classes = y, classes
        self.total = len(y)
        self.times = known_moments(frame, plan.later_by)
        self.groups: NDArray[np.intp] | None = None
        """A number for each row; rows of one number lie on one side of every split."""
        self.marked: NDArray[np.bool_] | None = None
        """The rows that a column of the user's own holds out."""
        self.copies: NDArray[np.intp] | None = None
        """A number for each row, the same for copies."""
        self.weights: Floats | None = None
        """How much each row counts, their mean being 1; None where all count alike."""
        self.encoded: Encoded
        self.naming: frozenset[str] = frozenset()
        self.terms: Any = None
        self.kept: tuple[int, FoldData] | None = None
        processors = usable_processors()
        self.workers = min(processors, MAX_WORKERS)
        """Fits that run side by side in this process."""
        self.threads = processors // self.workers
        """Threads of each fit."""

    def find_nominal_integers(self, rows: Rows) -> None:
        """Finds by these rows which integers name things that no category names already.

        Args:
            rows: Numbers of rows.
        """
        targets = statistic_targets(self.goal, self.y[rows])
        if not targets.shape[1]:
            return
        categories = [one.values[rows] for one in self.frame.values() if one.kind == "category"]
        numbers = (name for name in self.frame if self.plan.types[name] == "integer")
        whole = [name for name in numbers if name not in self.plan.later_by]
        found = []
        for name in whole[:MAX_INTEGERS]:
            values = self.frame[name].values[rows]
            if names_things(values, targets, self.plan.seed) and not any(
                same_groups(values, codes) for codes in categories
            ):
                found.append(name)
        self.naming = frozenset(found)

    def fit_encoder(self, rows: Rows) -> None:
        """Learns the encoder from these rows and encodes all of them.

        Args:
            rows: Numbers of rows.
        """
        statistics = n_target_statistics(self.goal)
        self.encoded = fit_encoder(self.frame, self.plan.types, statistics, rows, self.naming)
        self.terms = self._terms()
        self.kept = None

    def _terms(self) -> Any:
        texts = [one for one in self.encoded.encoder.columns if isinstance(one, TextColumn)]
        weighed = [weights_of(one.words, self.frame[one.name].values) for one in texts]
        return sparse.hstack(weighed, format="csr") if weighed else None

    def features(self) -> Features:
        """Returns the features of all rows as the encoder learnt last sees them.

        Returns:
            Float32, shape (n, width).
        """
        return self.encoded.features

    def fold_data(self, fold: int, train: Rows, *, is_last: bool = False) -> FoldData:
        """Returns the rows with the statistics that the training rows of a fold allow.

        Args:
            fold: Number of the fold.
            train: Numbers of the rows to learn from.
            is_last: Whether no other fold comes, so that the rows need not be copied for this one.

        Returns:
            The rows as the fold sees them.
        """
        if self.kept is None or self.kept[0] != fold:
            goal = self.goal
            targets = statistic_targets(goal, self.y)
            features, tables = cross_fit(
                self.encoded, targets, train, self.plan.seed, in_place=is_last
            )
            encoder = with_tables(self.encoded.encoder, tables)
            target = goal.scale.transform(self.y) if goal.task == "regression" else self.y
            kinds = feature_kinds(encoder, n_target_statistics(goal))
            self.kept = (
                fold,
                FoldData(
                    goal, encoder, kinds, features, self.terms, target, self.y,
                    self.plan.seed, self.threads, self._later(encoder),
                    self.weights,
                ),
            )  # fmt: skip
        return self.kept[1]

    def _later(self, encoder: Encoder) -> tuple[int, ...]:
        names = [column.name for column in encoder.columns]
        ahead = self.times is not None and self.goal.task == "regression"
        place = names.index(self.plan.later_by[0]) if ahead else -1
        return () if place < 0 else (encoder.owners().index(place),)

    def choose_target_transform(self, folds: Sequence[tuple[Rows, Rows]], stop: Deadline) -> None:
        """Scales a numeric target by these rows alone, by its log1p where quick models are better.

        Each learns from the first part of a fold and is judged on the second; the best one counts.

        Args:
            folds: For each fold the rows to learn from and the rows to be judged on.
            stop: When it has to end.
        """
        if self.goal.task != "regression":
            return
        known = self.y[np.concatenate(folds[0])]
        plain, log = self._least(folds, stop, log=False), known.min() >= 0
        log = log and self._better(self._least(folds, stop, log=True), plain)
        self._scale(self._scale_of(known, log=bool(log)))

    def _better(self, logs: tuple[float, Floats], plain: tuple[float, Floats]) -> bool:
        """Returns whether logarithms are better; of later rows surely.

        As they go on ever steeper.
        """
        saved = plain[1] - logs[1]
        sure = (
            self.times is None or saved.mean() > STANDARD_ERRORS * saved.std() / len(saved) ** 0.5
        )
        return bool(sure and logs[0] < plain[0])

    def _least(
        self, folds: Sequence[tuple[Rows, Rows]], stop: Deadline, *, log: bool
    ) -> tuple[float, Floats]:
        """Returns the loss of the best quick model on one scale, and its squared errors by row."""
        quick: Sequence[Candidate] = QUICK if len(self.y) <= FEW_ROWS else QUICK[:1]
        quick = quick if self.times is None else [*map(over_seasonal_trend, quick)]
        losses = np.zeros((len(quick), len(folds)))
        errors: list[list[Floats]] = [[] for _ in quick]
        for at, (train, valid) in enumerate(folds):
            self._scale(self._scale_of(self.y[train], log=log))
            fold_data = self.fold_data(at, train)
            for place, candidate in enumerate(quick):
                raw_prediction = candidate.fit(fold_data, train, valid, None, stop).raw_prediction(
                    valid
                )
                losses[place, at] = self.goal.loss(raw_prediction, self.y[valid])
                errors[place].append(
                    (self.goal.scale.inverse(raw_prediction[:, 0]) - self.y[valid]) ** 2
                )
        best = int(losses.mean(axis=1).argmin())
        return float(losses[best].mean()), np.concatenate(errors[best])

    def widen(self) -> None:
        """Clips predictions to the range of all rows from now on; the scale stays as it is."""
        if self.goal.task == "regression":
            whole = self._scale_of(self.y, log=self.goal.scale.log)
            self._scale(replace(self.goal.scale, low=whole.low, high=whole.high))

    def _scale_of(self, values: Floats, *, log: bool) -> TargetTransform:
        """Measures values; later ones may lie beyond them by as much as they reach."""
        scale = TargetTransform.of(values, log=log)
        if self.times is None:
            return scale
        ends = scale.transform(np.array([scale.low, scale.high]))
        free = replace(scale, low=-np.inf, high=np.inf)
        low, high = free.inverse(ends + np.diff(ends) * [-1.0, 1.0]).tolist()
        return replace(scale, low=max(low, 0.0) if scale.low >= 0 else low, high=high)

    def _scale(self, scale: TargetTransform) -> None:
        self.goal = replace(self.goal, scale=scale)
        self.kept = None


def read_training_data(
    tables: Sequence[Path], plan: Plan, most: int | None = None, before: TrainingData | None = None
) -> TrainingData:
    """Reads the rows that have a target; of very many, a random sample that has every class.

    `most` rows, if that is given; with the goal and the classes of the training data `before`.

    Args:
        tables: Parquet files, one after the other.
        plan: What is learnt from what.
        most: Rows at most.
        before: Training data whose goal and classes hold.

    Returns:
        The rows.
    """
    target = _target(read_table(tables, [plan.target]), plan)
    there = np.flatnonzero(pc.is_valid(target).to_numpy())
    rows = _sampled(target, there, plan, _most(plan) if most is None else most)
    if before is not None and before.classes:
        classes = pa.array(before.classes, target.type)
        rows = rows[pc.is_in(target, classes).to_numpy()[rows]]
    beside = [one for one in (plan.split_column, plan.sample_weight) if one is not None]
    table = read_rows(tables, [*dict.fromkeys([*plan.features, plan.target, *beside])], rows)
    training = _labelled(table, plan, before.classes if before else None)
    _read_beside(training, table, plan)
    training.total = len(there)
    if before is not None:
        training.goal, training.naming = before.goal, before.naming
    return training


def _read_beside(training: TrainingData, table: pa.Table, plan: Plan) -> None:
    """Reads what says how rows are held out and how much they count."""
    if plan.copies:
        alike = row_numbers(table.select([*plan.features, plan.target]))
        training.copies = numbered(alike, plan.repetitions)
        training.groups = training.copies
    if plan.split_by == "group" and plan.split_column:
        training.groups = row_numbers(table.select([plan.split_column]))
    if plan.split_by == "column" and plan.split_column:
        values = table[plan.split_column].to_pylist()
        training.marked = np.array([holds_out(one) for one in values], dtype=np.bool_)
    if plan.sample_weight:
        weights = np.nan_to_num(full_numbers(table[plan.sample_weight]))
        if not weights.sum() > 0:
            raise PlanError(
                f"All weights in `{plan.sample_weight}` are 0. Name a column of others, or leave"
                " `sample_weight` out.",
                field="sample_weight",
            )
        training.weights = weights / weights.mean()


def _target(table: pa.Table, plan: Plan) -> pa.ChunkedArray:
    """Returns the target as it is learnt."""
    form = plan.kinds.get(plan.target)
    return target_values(table[plan.target], form, plan.spellings)  # type: ignore[arg-type]


def _most(plan: Plan) -> int:
    cells = MAX_CELLS // len(plan.features)
    quick = max(QUICK_ROWS, round(plan.seconds * ROWS_PER_SECOND))
    return max(MIN_SAMPLE_ROWS, min(MAX_ROWS, cells, quick))


def _sampled(target: pa.ChunkedArray, rows: Rows, plan: Plan, most: int) -> Rows:
    if len(rows) <= most:
        return rows
    chosen = np.zeros(len(rows), dtype=bool)
    chosen[np.random.default_rng(plan.seed + 2).choice(len(rows), most, replace=False)] = True
    if plan.task != "regression":
        coded = pc.dictionary_encode(target.take(rows)).combine_chunks()
        codes = coded.indices.to_numpy()
        lost = np.setdiff1d(np.arange(len(coded.dictionary)), codes[chosen])
        chosen[[np.argmax(codes == one) for one in lost]] = True
    return np.asarray(rows[chosen])


def _labelled(table: pa.Table, plan: Plan, classes: list[Any] | None) -> TrainingData:
    frame = {name: raw_column(table[name], plan.kinds[name]) for name in plan.features}  # type: ignore[arg-type]
    column = _target(table, plan)
    if plan.task == "regression":
        y = full_numbers(column)
        return TrainingData(plan, frame, Objective("regression"), y, [])
    classes = classes or _classes(column, plan)
    y = np.asarray(pc.index_in(column, pa.array(classes, column.type)).to_numpy(), np.float64)
    return TrainingData(plan, frame, Objective(plan.task, len(classes)), y, classes)


def _classes(column: pa.ChunkedArray, plan: Plan) -> list[Any]:
    values = sorted(pc.unique(column).to_pylist())
    if plan.task == "binary" and plan.positive_class in values:
        values.sort(key=lambda value: value == plan.positive_class)
    return values
