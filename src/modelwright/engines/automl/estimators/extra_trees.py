"""Extremely randomised trees as a member, grown in batches so that the clock can stop them."""

from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.estimator import (
    Compiled,
    Cost,
    Fitted,
    Material,
    Rows,
    Settings,
    Stop,
)
from modelwright.engines.automl.estimators.forest_builder import Grower, join
from modelwright_runtime.forest import Forest
from modelwright_runtime.model import smoothed
from modelwright_runtime.objective import Floats, Goal

BATCH = 20
TREES = 60
TREE_COST, CHANCES_COST, AMONG, FAR = 0.3, 0.08, 0.15, 1500
"""Microseconds that one row takes in a small tree, and to look up chances of several classes; in
one of so many leaves, far apart in memory, three times as many."""
LEAVES = 2500
"""A tree has about as many leaves at most, so that the artifact stays small."""


def fit_forest(
    material: Material,
    train: Rows,
    valid: Rows | None,
    rounds: int | None,
    stop: Stop,
    settings: Settings,
) -> Fitted:
    """Fits extra-trees (Geurts 2006) on the slots its settings do not leave out."""
    from sklearn import ensemble  # noqa: PLC0415 - heavy

    del valid
    own = dict(settings)
    slots = material.slots_but(*own.pop("without", ("hot",)))
    goal = material.goal
    regression = goal.task == "regression"
    least = max(1, own.pop("least", 1), len(train) // LEAVES)
    maker = (ensemble.ExtraTreesRegressor if regression else ensemble.ExtraTreesClassifier)(
        n_estimators=0, warm_start=True, random_state=material.seed, n_jobs=material.threads,
        min_samples_leaf=least, **own,
    )  # fmt: skip
    inside, target = material.some(train, slots), material.target[train]
    wanted = rounds or TREES
    while maker.n_estimators < wanted and (maker.n_estimators == 0 or not stop.over()):
        maker.n_estimators = min(wanted, maker.n_estimators + BATCH)
        maker.fit(inside, target)

    def link(rows: Rows) -> Floats:
        seen = material.some(rows, slots)
        if regression:
            return np.asarray(maker.predict(seen), dtype=np.float64)[:, None]
        return smoothed(goal, _all_classes(maker, goal, maker.predict_proba(seen)))

    count = maker.n_estimators
    each = TREE_COST + CHANCES_COST * (goal.task == "multiclass")
    cost = count * each * (1 + 2 * min(1.0, len(train) / least / FAR))
    return Fitted(count, link, lambda: _compiled(maker, goal, slots), Cost(cost, cost * AMONG))


def _all_classes(model: Any, goal: Goal, chances: Floats) -> Floats:
    full = np.zeros((len(chances), goal.classes))
    full[:, model.classes_.astype(int)] = chances
    return full


def _compiled(model: Any, goal: Goal, slots: list[int]) -> Compiled:
    width = 1 if goal.task == "regression" else goal.classes
    trees = [_read(one.tree_, model, goal, width) for one in model.estimators_]
    forest = join(trees).scaled(1 / len(trees)).on(slots)
    base = np.zeros(goal.width)
    return Compiled(base, forest) if width == 1 else Compiled(base, means=forest)


def _read(tree: Any, model: Any, goal: Goal, width: int) -> Forest:
    """Reads one tree from scikit-learn's arrays, in which -1 for a child marks a leaf."""
    left, right = tree.children_left, tree.children_right
    inner, leaf = left >= 0, left < 0
    if not inner.any():
        return _single(tree, model, goal, width)
    link = np.where(inner, np.cumsum(inner) - 1, -np.cumsum(leaf))
    values = tree.value[leaf, 0, :]
    cover = tree.weighted_n_node_samples
    return Forest(
        tree.feature[inner].astype(np.int64), tree.threshold[inner],
        link[left[inner]], link[right[inner]], tree.missing_go_to_left[inner].astype(bool),
        cover[inner], values if width == 1 else _all_classes(model, goal, values), cover[leaf],
        np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64),
    )  # fmt: skip


def _single(tree: Any, model: Any, goal: Goal, width: int) -> Forest:
    values = tree.value[:, 0, :] if width == 1 else _all_classes(model, goal, tree.value[:, 0])
    grower = Grower(width)
    grower.tree(grower.leaf(values[0], float(tree.weighted_n_node_samples[0])))
    return grower.forest()
