"""CatBoost as a member: symmetric trees on numbers alone, read into a forest."""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.additive_model import LINES
from modelwright.engines.automl.estimators.early_stopping import EarlyStopping
from modelwright.engines.automl.estimators.estimator import FitRequest, Settings
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime.components.trees import SummedTrees
from modelwright_runtime.forest import Forest
from modelwright_runtime.objective import Floats, Objective

MAX_ROUNDS = 2000
"""Rounds of boosting at most."""
LEVEL_LATENCY_US = 0.006
"""Microseconds that a row alone takes at a level of a tree."""
BATCH_LEVEL_LATENCY_US = 0.0008
"""The same of a row among many."""
CACHED_NODES = 90_000
"""Of so many nodes a level takes twice as long."""
BORDER_COUNT = 254
"""Thresholds of a feature."""
FEW_BORDERS = 64
"""The same of few rows, where most of the time of a round goes into them."""
FEW_ROWS = 8000
"""Up to so many rows are few."""
LEARNING_RATE = 0.1
"""For many rows or classes, whose rounds are dear and have to be few."""
FEW_ROWS_LEARNING_RATE = 0.06
"""For few rows of one output."""
NEWTON_STEPS = {"binary": 10, "multiclass": 1, "regression": 1}
"""Newton steps to a leaf's value: CatBoost's own, but for few features it takes one below 200
rounds.

A refit, whose rounds are known, would be another model than the one that was judged."""
LOSSES = {"binary": "Logloss", "multiclass": "MultiClass", "regression": "RMSE"}


def fit_catboost(request: FitRequest) -> FittedModel:
    """Fits CatBoost on the features its settings do not leave out.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    import catboost  # noqa: PLC0415 - heavy

    data, train, valid = request.data, request.train, request.valid
    goal = data.goal
    own, features = data.chosen(request.settings, ("code",))
    maker = _maker(data, len(train), request.rounds, own)

    def pool(rows: Rows, *, labelled: bool = True) -> Any:
        return catboost.Pool(
            data.some(rows, features),
            _label(goal, data.target[rows]) if labelled else None,
            weight=data.weights_of(rows) if labelled else None,
        )

    judged = {} if valid is None else {"eval_set": pool(valid)}
    maker.fit(pool(train), callbacks=[EarlyStopping(request.deadline)], **judged)

    def raw_prediction(rows: Rows) -> Floats:
        given = pool(rows, labelled=False)
        raw = maker.predict(given, prediction_type="RawFormulaVal", thread_count=1)
        return np.asarray(raw, dtype=np.float64).reshape(len(rows), -1)

    count = int(maker.tree_count_)
    cost = _cost(count * goal.width, own.get("depth", 6))
    return FittedModel(count, raw_prediction, lambda: _compiled(maker, goal, features), cost)


def _maker(data: FoldData, rows: int, rounds: int | None, own: Settings) -> Any:
    """Sets CatBoost up, without the importance that it ends each fit with.

    Nobody asks for it, and it starts threads, as a prediction does by default: while those start, a
    fit in another thread may crash the process.
    """
    import catboost  # noqa: PLC0415 - heavy

    goal = data.goal
    maker = catboost.CatBoost(
        {
            **_pace(rows, goal), **own, "loss_function": LOSSES[goal.task],
            "leaf_estimation_iterations": NEWTON_STEPS[goal.task],
            "iterations": rounds or MAX_ROUNDS,
            "random_seed": data.seed, "thread_count": data.threads,
            "allow_writing_files": False, "logging_level": "Silent",
        }
    )  # fmt: skip
    maker.get_feature_importance = lambda **_: None
    return maker


def _cost(trees: int, depth: int) -> Latency:
    """Prices a level, up to twice as dear where the processor's cache does not hold the leaves."""
    beyond = 1 + min(1.0, (trees << depth) / CACHED_NODES)
    return Latency(
        trees * depth * LEVEL_LATENCY_US * beyond, trees * depth * BATCH_LEVEL_LATENCY_US
    )


def _pace(rows: int, goal: Objective) -> dict[str, Any]:
    few = rows <= FEW_ROWS
    return {
        "learning_rate": FEW_ROWS_LEARNING_RATE if few and goal.width == 1 else LEARNING_RATE,
        "border_count": FEW_BORDERS if few else BORDER_COUNT,
        **({"classes_count": goal.classes} if goal.task == "multiclass" else {}),
    }


def _label(goal: Objective, target: Floats) -> Any:
    return target if goal.task == "regression" else target.astype(np.int64)


def _compiled(model: Any, goal: Objective, features: list[int]) -> CompiledModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        read = json.loads(path.read_text(encoding="utf-8"))
    scale, bias = read["scale_and_bias"]
    base = np.broadcast_to(np.asarray(bias, dtype=np.float64), (goal.width,)).copy()
    forest = _forest(read["oblivious_trees"], scale, goal.width).on(features)
    return CompiledModel(base, (SummedTrees(forest),))


def _forest(trees: list[dict[str, Any]], scale: float, width: int) -> Forest:
    grower = ForestBuilder(1)
    for tree in trees:
        values = np.asarray(tree["leaf_values"], dtype=np.float64).reshape(-1, width) * scale
        covers = np.asarray(tree["leaf_weights"], dtype=np.float64)
        splits = [(one["float_feature_index"], one["border"]) for one in tree["splits"] or ()]
        for target in range(width):
            grower.tree(_grow(splits, values[:, target], covers, grower), target)
    return grower.forest()


def _grow(
    splits: list[tuple[int, float]], values: Floats, covers: Floats, grower: ForestBuilder
) -> int:
    """Unfolds a symmetric tree from its last split down; parts whose leaves are alike are cut."""
    if not splits or (values == values[0]).all():
        return grower.leaf([float(values[0])], float(covers.sum()))
    feature, border = splits[-1]
    half = len(values) // 2
    place = grower.node(feature, float(np.float32(border)), True, float(covers.sum()))
    yes = _grow(splits[:-1], values[:half], covers[:half], grower)
    grower.children[place] = [yes, _grow(splits[:-1], values[half:], covers[half:], grower)]
    return place


def _entries(table: TableShape) -> list[Entry]:
    if table.has_many_classes or table.is_slow:
        return []
    found = [Entry(40, "CatBoost", {"depth": 6})]
    if table.is_later:
        found.append(Entry(33, "CatBoost over lines", {"depth": 6}, LINES))
    if "statistic" in table.kinds:
        found.append(Entry(80, "CatBoost codes", {"depth": 6, "exclude": ("statistic",)}))
    if table.width == 1:
        found.append(Entry(130, "CatBoost deep", {"depth": 8}))
    return found


register(
    Family(
        "CatBoost",
        fit_catboost,
        _entries,
        {
            "depth": (4, 5, 6, 7, 8),
            "learning_rate": (0.04, 0.06, 0.1),
            "l2_leaf_reg": (1.0, 3.0, 10.0),
            "random_strength": (0.5, 1.0, 2.0),
            "rsm": (0.5, 0.8, 1.0),
        },
        is_boosted=True,
        modules=("catboost",),
        distributions=("catboost",),
    )
)
