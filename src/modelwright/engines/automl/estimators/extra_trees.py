"""Extremely randomised trees as a member, grown in batches so that the clock can stop them."""

from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.additive_model import LINES
from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime.components.trees import AveragedTrees, SummedTrees, smoothed
from modelwright_runtime.forest import Forest, join
from modelwright_runtime.objective import Floats, Objective

TREES_PER_BATCH = 20
"""Trees that are grown before the clock is looked at."""
N_TREES = 60
"""Trees of a forest."""
TREE_LATENCY_US = 0.3
"""Microseconds that one row takes in a small tree."""
PROBABILITIES_LATENCY_US = 0.08
"""Microseconds more to look up probabilities of several classes."""
BATCH_LATENCY_SHARE = 0.15
"""What a row among many takes of this, as a share."""
FAR_LEAVES = 1500
"""In a tree of so many leaves, far apart in memory, one row takes three times as long."""
MAX_LEAVES = 2500
"""A tree has about as many leaves at most, so that the artifact stays small."""


def fit_extra_trees(request: FitRequest) -> FittedModel:
    """Fits extra-trees (Geurts 2006) on the features its settings do not leave out.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    from sklearn import ensemble  # noqa: PLC0415 - heavy

    data, train, deadline = request.data, request.train, request.deadline
    own, features = data.chosen(request.settings, ("hot",))
    goal = data.goal
    regression = goal.task == "regression"
    least = max(1, own.pop("least", 1), len(train) // MAX_LEAVES)
    maker = (ensemble.ExtraTreesRegressor if regression else ensemble.ExtraTreesClassifier)(
        n_estimators=0, warm_start=True, random_state=data.seed, n_jobs=data.threads,
        min_samples_leaf=least, **own,
    )  # fmt: skip
    inside, target = data.some(train, features), data.target[train]
    wanted = request.rounds or N_TREES
    while maker.n_estimators < wanted and (maker.n_estimators == 0 or not deadline.expired()):
        maker.n_estimators = min(wanted, maker.n_estimators + TREES_PER_BATCH)
        maker.fit(inside, target, sample_weight=data.weights_of(train))

    def raw_prediction(rows: Rows) -> Floats:
        seen = data.some(rows, features)
        if regression:
            return np.asarray(maker.predict(seen), dtype=np.float64)[:, None]
        return smoothed(goal, _all_classes(maker, goal, maker.predict_proba(seen)))

    count = maker.n_estimators
    each = TREE_LATENCY_US + PROBABILITIES_LATENCY_US * (goal.task == "multiclass")
    cost = count * each * (1 + 2 * min(1.0, len(train) / least / FAR_LEAVES))
    return FittedModel(
        count,
        raw_prediction,
        lambda: _compiled(maker, goal, features),
        Latency(cost, cost * BATCH_LATENCY_SHARE),
    )


def _all_classes(model: Any, goal: Objective, probabilities: Floats) -> Floats:
    full = np.zeros((len(probabilities), goal.classes))
    full[:, model.classes_.astype(int)] = probabilities
    return full


def _compiled(model: Any, goal: Objective, features: list[int]) -> CompiledModel:
    width = 1 if goal.task == "regression" else goal.classes
    trees = [_read(one.tree_, model, goal, width) for one in model.estimators_]
    forest = join(trees).scaled(1 / len(trees)).on(features)
    base = np.zeros(goal.width)
    return CompiledModel(base, (SummedTrees(forest) if width == 1 else AveragedTrees(forest),))


def _read(tree: Any, model: Any, goal: Objective, width: int) -> Forest:
    """Reads one tree from scikit-learn's arrays, in which -1 for a child marks a leaf."""
    left, right = tree.children_left, tree.children_right
    inner, leaf = left >= 0, left < 0
    if not inner.any():
        return _single(tree, model, goal, width)
    child = np.where(inner, np.cumsum(inner) - 1, -np.cumsum(leaf))
    values = tree.value[leaf, 0, :]
    cover = tree.weighted_n_node_samples
    return Forest(
        tree.feature[inner].astype(np.int64), tree.threshold[inner],
        child[left[inner]], child[right[inner]], tree.missing_go_to_left[inner].astype(bool),
        cover[inner], values if width == 1 else _all_classes(model, goal, values), cover[leaf],
        np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64),
    )  # fmt: skip


def _single(tree: Any, model: Any, goal: Objective, width: int) -> Forest:
    values = tree.value[:, 0, :] if width == 1 else _all_classes(model, goal, tree.value[:, 0])
    grower = ForestBuilder(width)
    grower.tree(grower.leaf(values[0], float(tree.weighted_n_node_samples[0])))
    return grower.forest()


def _entries(table: TableShape) -> list[Entry]:
    if table.has_many_classes:
        return [Entry(10, "ExtraTrees")]
    if table.is_slow:
        return [Entry(70, "ExtraTrees")]
    found = [Entry(50, "ExtraTrees"), Entry(110, "ExtraTrees smooth", {"least": 5})]
    if table.is_later:
        found.append(Entry(34, "ExtraTrees over lines", lines=LINES))
    return found


register(
    Family(
        "ExtraTrees",
        fit_extra_trees,
        _entries,
        {"least": (1, 2, 3, 5, 10), "max_features": (0.3, 0.5, 0.8, 1.0)},
        modules=("sklearn.ensemble",),
        distributions=("scikit-learn",),
    )
)
