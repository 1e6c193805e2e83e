"""The rows of a build: read, labelled and encoded, as each fold is to see them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from modelwright.engines.automl.estimators.estimator import Material, Rows, Stop, slot_kinds
from modelwright.engines.automl.estimators.lightgbm import fit_boosting
from modelwright.engines.automl.features.encoding import Encoded, learn_encoder, with_tables
from modelwright.engines.automl.features.target_encoding import fill, statistics_of, targets_of
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
from modelwright.engines.automl.planning.plan import Plan
from modelwright.engines.automl.planning.time_order import known_moments
from modelwright.engines.automl.search.portfolio import LINEAR, Contender, over_seasons
from modelwright.system.processors import usable_processors
from modelwright_runtime.columns import Slots, TextColumn
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.objective import Floats, Goal, Scale

MOST_ROWS, MOST_CELLS, LEAST_SAMPLE = 250_000, 8_000_000, 20_000
"""More rows, or more values of features, are learnt from as a sample of so many."""
QUICK_ROWS, ROWS_A_SECOND = 50_000, 2000
"""A race of few seconds has no more rows than the first, or so many for each of them."""
QUICK = (Contender("Quick", fit_boosting, {"learning_rate": 0.1, "num_leaves": 31}), LINEAR)
"""What the scale of a target is chosen by; the second only of few rows, where it counts more."""
FEW_ROWS = 20_000
SURE = 1.645
"""The standard errors of what logarithms save that chance passes once in twenty times."""
MOST_TRIED = 200
"""Integers that may turn out to name things, the first ones of a table."""
MOST_WORKERS = 4
"""At most so many fits run side by side; more processors give each of them more threads."""


class Lesson:
    """Features and target of a plan; `learn` fits the encoder on rows, `material` fills a fold."""

    def __init__(
        self, plan: Plan, frame: Frame, goal: Goal, truth: Floats, classes: list[Any]
    ) -> None:
        self.plan, self.frame, self.goal = plan, frame, goal
        self.truth, self.classes = truth, classes
        self.total = len(truth)
        self.times = known_moments(frame, plan.later_by)
        self.encoded: Encoded
        self.naming: frozenset[str] = frozenset()
        self.terms: Any = None
        self.kept: tuple[int, Material] | None = None
        processors = usable_processors()
        self.workers = min(processors, MOST_WORKERS)
        self.threads = processors // self.workers

    def find_naming(self, rows: Rows) -> None:
        """Finds by these rows which integers name things that no category names already."""
        targets = targets_of(self.goal, self.truth[rows])
        if not targets.shape[1]:
            return
        categories = [one.values[rows] for one in self.frame.values() if one.kind == "category"]
        numbers = (name for name in self.frame if self.plan.types[name] == "integer")
        whole = [name for name in numbers if name not in self.plan.later_by]
        found = []
        for name in whole[:MOST_TRIED]:
            values = self.frame[name].values[rows]
            if names_things(values, targets, self.plan.seed) and not any(
                same_groups(values, codes) for codes in categories
            ):
                found.append(name)
        self.naming = frozenset(found)

    def learn(self, rows: Rows) -> None:
        """Learns the encoder from these rows and encodes all of them."""
        statistics = statistics_of(self.goal)
        self.encoded = learn_encoder(self.frame, self.plan.types, statistics, rows, self.naming)
        self.terms = self._terms()
        self.kept = None

    def _terms(self) -> Any:
        texts = [one for one in self.encoded.encoder.columns if isinstance(one, TextColumn)]
        weighed = [weights_of(one.words, self.frame[one.name].values) for one in texts]
        return sparse.hstack(weighed, format="csr") if weighed else None

    def slots(self) -> Slots:
        """Gives the slots of all rows as the encoder learnt last sees them."""
        return self.encoded.slots

    def material(self, fold: int, train: Rows) -> Material:
        """Gives the rows with the statistics that the training rows of a fold allow."""
        if self.kept is None or self.kept[0] != fold:
            goal = self.goal
            targets = targets_of(goal, self.truth)
            slots, tables = fill(self.encoded, targets, train, self.plan.seed)
            encoder = with_tables(self.encoded.encoder, tables)
            target = goal.scale.link(self.truth) if goal.task == "regression" else self.truth
            kinds = slot_kinds(encoder, statistics_of(goal))
            self.kept = (
                fold,
                Material(
                    goal, encoder, kinds, slots, self.terms, target, self.truth,
                    self.plan.seed, self.threads, self._later(encoder),
                ),
            )  # fmt: skip
        return self.kept[1]

    def _later(self, encoder: Encoder) -> tuple[int, ...]:
        names = [column.name for column in encoder.columns]
        place = -1 if self.times is None else names.index(self.plan.later_by[0])
        return () if place < 0 else (encoder.owners().index(place),)

    def choose_scale(self, folds: Sequence[tuple[Rows, Rows]], stop: Stop) -> None:
        """Scales a numeric target by these rows alone, by its log1p where quick models are better.

        Each learns from the first part of a fold and is judged on the second; the best one counts.
        """
        if self.goal.task != "regression":
            return
        known = self.truth[np.concatenate(folds[0])]
        plain, log = self._least(folds, stop, log=False), known.min() >= 0
        log = log and self._better(self._least(folds, stop, log=True), plain)
        self._scale(self._scale_of(known, log=bool(log)))

    def _better(self, logs: tuple[float, Floats], plain: tuple[float, Floats]) -> bool:
        """Says whether logarithms are better; of later rows surely, as they go on ever steeper."""
        saved = plain[1] - logs[1]
        sure = self.times is None or saved.mean() > SURE * saved.std() / len(saved) ** 0.5
        return bool(sure and logs[0] < plain[0])

    def _least(
        self, folds: Sequence[tuple[Rows, Rows]], stop: Stop, *, log: bool
    ) -> tuple[float, Floats]:
        """Gives the loss of the best quick model on one scale, and its squared errors by row."""
        quick: Sequence[Contender] = QUICK if len(self.truth) <= FEW_ROWS else QUICK[:1]
        quick = quick if self.times is None else [*map(over_seasons, quick)]
        losses = np.zeros((len(quick), len(folds)))
        errors: list[list[Floats]] = [[] for _ in quick]
        for at, (train, valid) in enumerate(folds):
            self._scale(self._scale_of(self.truth[train], log=log))
            material = self.material(at, train)
            for place, contender in enumerate(quick):
                link = contender.fit(material, train, valid, None, stop).link(valid)
                losses[place, at] = self.goal.loss(link, self.truth[valid])
                errors[place].append((self.goal.scale.back(link[:, 0]) - self.truth[valid]) ** 2)
        best = int(losses.mean(axis=1).argmin())
        return float(losses[best].mean()), np.concatenate(errors[best])

    def widen(self) -> None:
        """Clips predictions to the range of all rows from now on; the scale stays as it is."""
        if self.goal.task == "regression":
            whole = self._scale_of(self.truth, log=self.goal.scale.log)
            self._scale(replace(self.goal.scale, low=whole.low, high=whole.high))

    def _scale_of(self, values: Floats, *, log: bool) -> Scale:
        """Measures values; later ones may lie beyond them by as much as they reach."""
        scale = Scale.of(values, log=log)
        if self.times is None:
            return scale
        ends = scale.link(np.array([scale.low, scale.high]))
        free = replace(scale, low=-np.inf, high=np.inf)
        low, high = free.back(ends + np.diff(ends) * [-1.0, 1.0]).tolist()
        return replace(scale, low=max(low, 0.0) if scale.low >= 0 else low, high=high)

    def _scale(self, scale: Scale) -> None:
        self.goal = replace(self.goal, scale=scale)
        self.kept = None


def read_lesson(
    tables: Sequence[Path], plan: Plan, most: int | None = None, before: Lesson | None = None
) -> Lesson:
    """Reads the rows that have a target; of very many, a random sample that has every class.

    `most` rows, if that is given; with the goal and the classes of the lesson `before`.
    """
    target = _target(read_table(tables, [plan.target]), plan)
    there = np.flatnonzero(pc.is_valid(target).to_numpy())
    rows = _sampled(target, there, plan, _most(plan) if most is None else most)
    if before is not None and before.classes:
        classes = pa.array(before.classes, target.type)
        rows = rows[pc.is_in(target, classes).to_numpy()[rows]]
    table = read_rows(tables, [*plan.features, plan.target], rows)
    lesson = _labelled(table, plan, before.classes if before else None)
    lesson.total = len(there)
    if before is not None:
        lesson.goal, lesson.naming = before.goal, before.naming
    return lesson


def _target(table: pa.Table, plan: Plan) -> pa.ChunkedArray:
    """Gives the target as it is learnt."""
    form = plan.kinds.get(plan.target)
    return target_values(table[plan.target], form, plan.spellings)  # type: ignore[arg-type]


def _most(plan: Plan) -> int:
    cells = MOST_CELLS // len(plan.features)
    quick = max(QUICK_ROWS, round(plan.seconds * ROWS_A_SECOND))
    return max(LEAST_SAMPLE, min(MOST_ROWS, cells, quick))


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


def _labelled(table: pa.Table, plan: Plan, classes: list[Any] | None) -> Lesson:
    frame = {name: raw_column(table[name], plan.kinds[name]) for name in plan.features}  # type: ignore[arg-type]
    column = _target(table, plan)
    if plan.task == "regression":
        truth = full_numbers(column)
        return Lesson(plan, frame, Goal("regression"), truth, [])
    classes = classes or _classes(column, plan)
    truth = np.asarray(pc.index_in(column, pa.array(classes, column.type)).to_numpy(), np.float64)
    return Lesson(plan, frame, Goal(plan.task, len(classes)), truth, classes)


def _classes(column: pa.ChunkedArray, plan: Plan) -> list[Any]:
    values = sorted(pc.unique(column).to_pylist())
    if plan.task == "binary" and plan.positive_class in values:
        values.sort(key=lambda value: value == plan.positive_class)
    return values
