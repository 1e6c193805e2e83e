"""XGBoost as a member where it is installed: rounds found on held-out rows, read into a forest.

Source: Chen and Guestrin 2016, "XGBoost: A scalable tree boosting system".
"""

import json
from typing import Any

import numpy as np

from modelwright.engines.automl.estimators.early_stopping import EarlyStopping
from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime.components.trees import SummedTrees
from modelwright_runtime.forest import Forest, join
from modelwright_runtime.objective import Floats, Objective

MAX_ROUNDS = 3000
"""Rounds of boosting at most."""
LEAF_LATENCY_US = 0.01
"""Microseconds that a row alone takes in a tree, times the square root of its leaves."""
BATCH_LEAF_LATENCY_US = 0.0012
"""The same of a row among many."""
DEFAULT_DEPTH = 6
"""Levels of a tree where the settings name none."""
OBJECTIVES = {
    "binary": ("binary:logistic", "logloss", 0.5),
    "multiclass": ("multi:softprob", "mlogloss", 0.0),
    "regression": ("reg:squarederror", "rmse", 0.0),
}
"""By task the objective, the metric that ends training, and the base score that adds nothing."""
BASE_SETTINGS = {"learning_rate": 0.05, "tree_method": "hist", "max_bin": 255, "verbosity": 0}
"""Settings of every fit; `hist` gives the same trees for the same data and seed."""


def fit_xgboost(request: FitRequest) -> FittedModel:
    """Fits XGBoost on the features its settings do not leave out.

    Args:
        request: What to fit, and until when.

    Returns:
        The model of the best round.
    """
    import xgboost  # noqa: PLC0415 - heavy, and optional

    data, valid = request.data, request.valid
    goal = data.goal
    own, features = data.chosen(request.settings, ("hot",))
    objective, metric, base_score = OBJECTIVES[goal.task]
    options = {
        **BASE_SETTINGS, **own, "objective": objective, "eval_metric": metric,
        "base_score": base_score, "seed": data.seed, "nthread": data.threads,
    }  # fmt: skip
    if goal.task == "multiclass":
        options["num_class"] = goal.classes

    def matrix(rows: Rows, *, labelled: bool = True) -> Any:
        label = data.target[rows] if labelled else None
        weight = data.weights_of(rows) if labelled else None
        seen = data.some(rows, features)
        return xgboost.DMatrix(seen, label=label, weight=weight, nthread=data.threads)

    stopping = EarlyStopping(request.deadline)

    class Callback(xgboost.callback.TrainingCallback):
        def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
            del model
            judged = evals_log.get("valid")
            return stopping.observe(epoch + 1, judged[metric][-1] if judged else None)

    evals = [] if valid is None else [(matrix(valid), "valid")]
    model = xgboost.train(
        options, matrix(request.train), request.rounds or MAX_ROUNDS, evals=evals,
        verbose_eval=False, callbacks=[Callback()],
    )  # fmt: skip
    used = stopping.used

    def raw_prediction(rows: Rows) -> Floats:
        given = matrix(rows, labelled=False)
        raw = model.predict(given, output_margin=True, iteration_range=(0, used))
        return np.asarray(raw, dtype=np.float64).reshape(len(rows), -1)

    size = used * goal.width * 2.0 ** (own.get("max_depth", DEFAULT_DEPTH) / 2)
    return FittedModel(
        used,
        raw_prediction,
        lambda: CompiledModel(
            np.zeros(goal.width), (SummedTrees(_read(model[:used], goal).on(features)),)
        ),
        Latency(size * LEAF_LATENCY_US, size * BATCH_LEAF_LATENCY_US),
    )


def _read(model: Any, goal: Objective) -> Forest:
    """Reads the trees from XGBoost's JSON, where those of a round follow each other by class."""
    document = json.loads(bytes(model.save_raw("json")))
    trees = document["learner"]["gradient_booster"]["model"]["trees"]
    return join(_tree(one, place % goal.width) for place, one in enumerate(trees))


def _tree(tree: dict[str, Any], target: int) -> Forest:
    """Reads a tree, whose leaves have -1 for a child and their value for a split condition.

    XGBoost goes left where feature < condition, both of 32 bits, and a forest where it is at most
    the threshold: that is the number before the condition.
    """
    left, right = np.array(tree["left_children"]), np.array(tree["right_children"])
    condition = np.array(tree["split_conditions"], dtype=np.float32)
    cover = np.array(tree["sum_hessian"], dtype=np.float64)
    inner = np.asarray(left >= 0)
    leaf = ~inner
    if not inner.any():
        builder = ForestBuilder(1)
        builder.tree(builder.leaf([float(condition[0])], float(cover[0])), target)
        return builder.forest()
    child = np.where(inner, np.cumsum(inner) - 1, 0 - np.cumsum(leaf))
    threshold = np.nextafter(condition[inner], np.float32(-np.inf)).astype(np.float64)
    return Forest(
        np.array(tree["split_indices"], dtype=np.int64)[inner], threshold,
        child[left[inner]], child[right[inner]],
        np.array(tree["default_left"], dtype=bool)[inner], cover[inner],
        condition[leaf].astype(np.float64)[:, None], cover[leaf],
        np.zeros(1, dtype=np.int64), np.array([target], dtype=np.int64),
    )  # fmt: skip


def _entries(table: TableShape) -> list[Entry]:
    if table.has_many_classes or table.is_slow:
        return []
    return [Entry(90, "XGBoost", {"subsample": 0.8, "colsample_bytree": 0.8})]


register(
    Family(
        "XGBoost",
        fit_xgboost,
        _entries,
        {
            "max_depth": (3, 4, 6, 8),
            "learning_rate": (0.02, 0.05, 0.1),
            "min_child_weight": (1.0, 5.0, 20.0),
            "colsample_bytree": (0.5, 0.8, 1.0),
            "subsample": (0.6, 0.8, 1.0),
            "reg_lambda": (1.0, 5.0, 20.0),
        },
        is_boosted=True,
        modules=("xgboost",),
        distributions=("xgboost", "xgboost-cpu"),
    )
)
