"""LightGBM as a member: rounds found on held-out rows, stopped by the clock, read into a forest."""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.estimators.additive_model import SEASONAL
from modelwright.engines.automl.estimators.early_stopping import EarlyStopping
from modelwright.engines.automl.estimators.estimator import FitRequest
from modelwright.engines.automl.estimators.family import Entry, Family, TableShape, register
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime.bitslices import MAX_LEAVES
from modelwright_runtime.components.trees import SummedTrees
from modelwright_runtime.forest import Forest, Ints, join
from modelwright_runtime.objective import Floats, Objective

MAX_ROUNDS = 3000
"""Rounds of boosting at most."""
TREE_LATENCY_US = 0.01
"""Microseconds that a row alone takes in a tree of one leaf; with more leaves all three rise as
their square root does, as measured up to 512."""
BATCH_TREE_LATENCY_US = 0.0012
"""The same of a row among many, through a table."""
WALKED_TREE_LATENCY_US = 0.004
"""The same where a tree is too large for a table."""
BASE_SETTINGS = {
    "verbosity": -1,
    "learning_rate": 0.05,
    "feature_pre_filter": False,
    "deterministic": True,
    "force_row_wise": True,
}
"""Settings of every fit: the same data, seed and rounds give the same trees."""
MATRIX_ROWS = 250_000
"""Rows that are handed over as one matrix, which is quicker; of more it would be a second copy."""
BATCH_ROWS = 1 << 16
"""Rows of a batch, some megabytes."""
MAX_TOTAL_BINS = 60_000
"""Thresholds of all features together: every leaf counts them all."""
MIN_BINS = 255
"""Thresholds of a feature at least."""
MAX_BINS = 2000
"""Thresholds of a feature at most."""
RARE_CLASS_SHARE = 0.8
"""A class of fewer rows than this share of the mean makes leaves dearer."""
MAX_RARE_CLASS_L2 = 1.0
"""The largest penalty that this makes."""
SUBSAMPLED = {"bagging_fraction": 0.8, "bagging_freq": 1, "feature_fraction": 0.8}
"""Rows and features that each tree is drawn from."""
EXTREMELY_RANDOM = {**SUBSAMPLED, "num_leaves": 31, "extra_trees": True}
"""Thresholds drawn at random, as extra-trees have them."""
FEW_ROUNDS = {**EXTREMELY_RANDOM, "num_leaves": 16, "learning_rate": 0.1}
"""Settings of few rounds, each of which moves far."""
MIN_CLASSES_FEW_ROUNDS = 5
"""From so many classes on, whose other models take a row long, they are tried."""
SLOW = {**SUBSAMPLED, "learning_rate": 0.03, "feature_fraction": 0.5}
"""Small steps over half of the features."""
FINE = {
    **SUBSAMPLED, "num_leaves": 31, "min_data_in_leaf": 3, "feature_fraction": 1.0,
    "exclude": ("hot", "statistic"),
}  # fmt: skip
"""Small leaves on codes of categories."""
FINE_DRAWN = {**FINE, "num_leaves": 16, "feature_fraction": 0.4, "bagging_fraction": 1.0}
"""The same by other features in each tree, which makes up for leaves of three rows."""
FINEST = {**FINE, "num_leaves": 512, "min_data_in_leaf": 2, "learning_rate": 0.1}
"""Small leaves over codes alone, all of them at hand: they find rows that are nearly alike."""
MIN_ROWS_FINEST = 5000
"""Of more, some may be so nearly alike that trees of very many leaves tell of one by others."""
OBJECTIVES = {"binary": "binary", "multiclass": "multiclass", "regression": "l2"}
METRICS = {"binary": "binary_logloss", "multiclass": "multi_logloss", "regression": "l2"}


def fit_lightgbm(request: FitRequest) -> FittedModel:
    """Fits LightGBM on the features its settings do not leave out.

    Args:
        request: What to fit, and until when.

    Returns:
        The fitted model.
    """
    import lightgbm as lgb  # noqa: PLC0415 - heavy

    data, train = request.data, request.train
    goal = data.goal
    own, features = data.chosen(request.settings, ("hot",))
    options = {
        **BASE_SETTINGS, "lambda_l2": _rare_class_l2(data, train),
        **bin_settings(goal, len(features)), **own,
        "objective": OBJECTIVES[goal.task], "metric": METRICS[goal.task],
        "seed": data.seed, "num_threads": data.threads,
        "num_class": goal.classes if goal.task == "multiclass" else 1,
    }  # fmt: skip
    matrix = partial(data.some, features=features)
    weight = data.weights_of(train)
    read = matrix if len(train) <= MATRIX_ROWS else partial(_batches, data, features)
    dataset = lgb.Dataset(read(train), data.target[train], weight=weight, params=options)
    judged = [] if request.valid is None else [request.valid]
    outside = [lgb.Dataset(matrix(one), data.target[one], reference=dataset) for one in judged]
    stopping = EarlyStopping(request.deadline)
    model = lgb.train(
        options, dataset, request.rounds or MAX_ROUNDS, valid_sets=outside, callbacks=[stopping]
    )
    used = stopping.used

    def raw_prediction(rows: Rows) -> Floats:
        # The number is the whole process's: without it, that of a fit beside would change too.
        raw = model.predict(
            matrix(rows), raw_score=True, num_iteration=used, num_threads=data.threads
        )
        return np.asarray(raw, dtype=np.float64).reshape(len(rows), -1)

    return FittedModel(
        used,
        raw_prediction,
        lambda: CompiledModel(
            np.zeros(goal.width), (SummedTrees(_read(model, used, goal, features)),)
        ),
        _cost(used * goal.width, own.get("num_leaves", 31)),
    )


def _batches(data: FoldData, features: list[int], rows: Rows) -> Any:
    """Returns rows that LightGBM reads in batches into its bins, the same ones as of a matrix."""
    import lightgbm as lgb  # noqa: PLC0415 - heavy

    class Batches(lgb.Sequence):  # type: ignore[misc]
        """Rows of a fold, in their order."""

        batch_size = BATCH_ROWS

        def __len__(self) -> int:
            return len(rows)

        def __getitem__(self, place: Any) -> NDArray[Any]:
            if isinstance(place, slice):
                return data.some(rows[place], features)
            return np.asarray(data.some(rows[place : place + 1], features)[0], dtype=np.float64)

    return Batches()


def bin_settings(goal: Objective, features: int) -> dict[str, int]:
    """Lets few features be cut finely where a round is one tree: it takes more of its time.

    Args:
        goal: What is learnt.
        features: How many features there are.

    Returns:
        Settings of LightGBM.
    """
    if goal.width > 1:
        return {}
    return {
        "max_bin": min(max(MIN_BINS, MAX_TOTAL_BINS // features), MAX_BINS),
        "min_data_in_bin": 1,
    }


def _rare_class_l2(data: FoldData, train: Rows) -> float:
    """Returns the L2 penalty on leaves: without one, those of rare classes run away."""
    if data.goal.task != "multiclass":
        return 0.0
    counts = np.unique(data.target[train], return_counts=True)[1]
    return float(
        np.clip(np.log(RARE_CLASS_SHARE * counts.mean() / counts.min()), 0.0, MAX_RARE_CLASS_L2)
    )


def _cost(trees: int, leaves: int) -> Latency:
    size = trees * math.sqrt(leaves)
    return Latency(
        size * TREE_LATENCY_US,
        size * (BATCH_TREE_LATENCY_US if leaves <= MAX_LEAVES else WALKED_TREE_LATENCY_US),
    )


MISSING_NAN = 2
"""LightGBM's own number for a split that asks for NaN."""


def _read(model: Any, rounds: int, goal: Objective, features: list[int]) -> Forest:
    """Reads the trees from LightGBM's text, whose arrays are laid out as a forest's are."""
    text = model.model_to_string(num_iteration=rounds).split("\nend of trees", 1)[0]
    trees = [_tree(one, place % goal.width) for place, one in enumerate(text.split("\nTree=")[1:])]
    return join(trees).on(features)


def _tree(text: str, target: int) -> Forest:
    told = dict(line.split("=", 1) for line in text.splitlines()[1:] if "=" in line)
    leaves, counts = _floats(told["leaf_value"]), _floats(told.get("leaf_count", ""))
    if not told.get("split_feature"):
        grower = ForestBuilder(1)
        grower.tree(grower.leaf([leaves[0]], float(counts[0]) if len(counts) else 1.0), target)
        return grower.forest()
    kinds, threshold = _ints(told["decision_type"]), _floats(told["threshold"])
    missing = np.where(kinds >> 2 == MISSING_NAN, (kinds & 2) > 0, threshold >= 0)
    return Forest(
        _ints(told["split_feature"]), threshold, _ints(told["left_child"]),
        _ints(told["right_child"]), missing, _floats(told["internal_count"]), leaves[:, None],
        counts, np.zeros(1, dtype=np.int64), np.array([target], dtype=np.int64),
    )  # fmt: skip


def _floats(text: str) -> Floats:
    return np.array(text.split(), dtype=np.float64)


def _ints(text: str) -> Ints:
    return np.array(text.split(), dtype=np.int64)


def _entries(table: TableShape) -> list[Entry]:
    """Lists the settings that are tried on a table, each with its place in the order."""
    if table.has_many_classes:
        return [Entry(80, "LightGBM", {**SUBSAMPLED, "num_leaves": 15, "learning_rate": 0.15})]
    if table.is_slow:
        quick = {**SUBSAMPLED, "learning_rate": 0.1}
        return [
            Entry(10, "LightGBM", {**quick, "num_leaves": 31}),
            Entry(80, "LightGBM large", {**quick, "num_leaves": 128}),
        ]
    usual = {**SUBSAMPLED, "num_leaves": 31}
    found = [
        Entry(10, "LightGBM", usual),
        Entry(100, "LightGBM fine", FINE),
        Entry(101, "LightGBM fine drawn", FINE_DRAWN),
        Entry(102, "LightGBM small", {**SUBSAMPLED, "num_leaves": 8, "exclude": ()}),
        Entry(103, "LightGBM large", {**SUBSAMPLED, "num_leaves": 128}),
        Entry(104, "LightGBM slow", {**SLOW, "num_leaves": 64}),
        Entry(121, "LightGBM extra", EXTREMELY_RANDOM),
    ]
    if table.is_later:
        found.append(Entry(31, "LightGBM over seasonal lines", usual, SEASONAL))
    if table.width == 1 and table.rows > MIN_ROWS_FINEST:
        found.append(Entry(105, "LightGBM finest", FINEST))
    if table.width >= MIN_CLASSES_FEW_ROUNDS:
        found.append(Entry(120, "LightGBM quick", FEW_ROUNDS))
    return found


register(
    Family(
        "LightGBM",
        fit_lightgbm,
        _entries,
        {
            "num_leaves": (6, 12, 24, 48, 96, 160),
            "learning_rate": (0.02, 0.03, 0.05, 0.08),
            "min_data_in_leaf": (5, 10, 20, 50, 100),
            "feature_fraction": (0.4, 0.6, 0.8, 1.0),
            "bagging_fraction": (0.6, 0.8, 1.0),
            "lambda_l2": (0.0, 1.0, 10.0),
            "max_bin": (127, 255, 511),
            "extra_trees": (False, True),
        },
        is_boosted=True,
        takes_batches=True,
        modules=("lightgbm",),
        distributions=("lightgbm",),
    )
)
