"""The fixed portfolio: which models race, in which order, with which settings."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

from modelwright.engines.automl.estimators import xgboost
from modelwright.engines.automl.estimators.additive_model import STRAIGHT_KNOTS, fit_additive
from modelwright.engines.automl.estimators.baseline import fit_baseline
from modelwright.engines.automl.estimators.catboost import fit_catboost
from modelwright.engines.automl.estimators.estimator import (
    Deadline,
    Estimator,
    FittedModel,
    FoldData,
    Rows,
    Settings,
)
from modelwright.engines.automl.estimators.extra_trees import fit_extra_trees
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.estimators.linear_trend import LINES, SEASONAL, fit_over_trend
from modelwright.engines.automl.estimators.network import fit_network
from modelwright.engines.automl.estimators.xgboost import fit_xgboost

MAX_CLASSES_FULL = 30
"""With more outputs only the quick candidates are searched, and no variations."""
MAX_ROWS_X_CLASSES = 200_000
"""With more rows times classes boosting takes long."""
MAX_FEATURES_NETWORK = 300
"""More features than this are too many for a network."""
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
MAX_ROWS_STRAIGHT = 1500
"""Of so many, functions that may bend can lose more than they gain where the truth is straight."""
ROWS_PER_FEATURE_SPARSE = 5
"""With so few rows for each feature, it may be that few features matter and the others only
mislead."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that can race."""

    name: str
    estimator: Estimator
    settings: dict[str, Any] = field(default_factory=dict)
    lines: Settings | None = None
    """The settings of lines, if it learns what they leave over."""

    def fit(
        self,
        fold_data: FoldData,
        train: Rows,
        valid: Rows | None,
        rounds: int | None,
        stop: Deadline,
    ) -> FittedModel:
        """Fits on rows, as its family does."""
        told = fold_data, train, valid, rounds, stop, self.settings
        return (
            fit_over_trend(self.estimator, self.lines, *told)
            if self.lines
            else self.estimator(*told)
        )


XGBOOST = Candidate("XGBoost", fit_xgboost, {"subsample": 0.8, "colsample_bytree": 0.8})
BASELINE = Candidate("Constant", fit_baseline)
FALLBACK = Candidate("LightGBM", fit_lightgbm, {**SUBSAMPLED, "num_leaves": 31})
LINEAR = Candidate("Linear", fit_additive)
LINEAR_STRAIGHT = Candidate("Linear straight", fit_additive, {"knots": STRAIGHT_KNOTS})
CATBOOST = Candidate("CatBoost", fit_catboost, {"depth": 6})
FOREST = Candidate("ExtraTrees", fit_extra_trees)


def over_seasonal_trend(one: Candidate) -> Candidate:
    """Returns a candidate that learns what seasonal lines leave over."""
    return replace(one, name=f"{one.name} over seasonal lines", lines=SEASONAL)


OVER_LINES = (
    Candidate("Linear seasonal", fit_additive, SEASONAL),
    over_seasonal_trend(FALLBACK),
    over_seasonal_trend(LINEAR),
    replace(CATBOOST, name="CatBoost over lines", lines=LINES),
    replace(FOREST, name="ExtraTrees over lines", lines=LINES),
)
"""For later rows: they go on along lines beyond what was seen."""


def load_libraries() -> None:
    """Loads what the families import late, so that no fit's seconds are spent on it."""
    for name in ("lightgbm", "catboost", "sklearn.ensemble"):
        import_module(name)
    if xgboost.is_installed():
        import_module("xgboost")


def portfolio(
    kinds: Collection[str], width: int, rows: int, *, later: bool = False
) -> list[Candidate]:
    """Returns the candidates for these kinds of features in racing order, quick and useful first.

    With many classes, where each round of boosting grows a tree a class, only the quick ones.
    """
    networks = [
        Candidate("Network", fit_network),
        Candidate("Network deep", fit_network, {"deep": True}),
        Candidate("Network by value", fit_network, {"stepped": True}),
    ] * (len(kinds) <= MAX_FEATURES_NETWORK)
    if width > MAX_CLASSES_FULL or (width > 1 and width * rows > MAX_ROWS_X_CLASSES):
        return _quick(networks[:2], width)
    deep = [Candidate("CatBoost deep", fit_catboost, {"depth": 8})]
    coded = [Candidate("CatBoost codes", fit_catboost, {"depth": 6, "exclude": ("statistic",)})]
    alike = [Candidate("LightGBM finest", fit_lightgbm, FINEST)]
    return [
        FALLBACK,
        LINEAR,
        *(OVER_LINES if later else ()),
        CATBOOST,
        FOREST,
        *networks[:2],
        *_of_few_rows(rows, len(kinds)),
        *(coded if "statistic" in kinds else ()),
        *([XGBOOST] if xgboost.is_installed() else ()),
        Candidate("LightGBM fine", fit_lightgbm, FINE),
        Candidate("LightGBM fine drawn", fit_lightgbm, FINE_DRAWN),
        Candidate("LightGBM small", fit_lightgbm, {**SUBSAMPLED, "num_leaves": 8, "exclude": ()}),
        Candidate("LightGBM large", fit_lightgbm, {**SUBSAMPLED, "num_leaves": 128}),
        Candidate("LightGBM slow", fit_lightgbm, {**SLOW, "num_leaves": 64}),
        *(alike if width == 1 and rows > MIN_ROWS_FINEST else ()),
        Candidate("ExtraTrees smooth", fit_extra_trees, {"least": 5}),
        *(
            [Candidate("LightGBM quick", fit_lightgbm, FEW_ROUNDS)]
            if width >= MIN_CLASSES_FEW_ROUNDS
            else []
        ),
        Candidate("LightGBM extra", fit_lightgbm, EXTREMELY_RANDOM),
        *(deep if width == 1 else ()),
        Candidate("Linear coarse", fit_additive, {"knots": 4}),
        Candidate("Linear fine", fit_additive, {"knots": 20}),
        *networks[2:],
    ]


def _of_few_rows(rows: int, features: int) -> list[Candidate]:
    spare = Candidate("Linear sparse", fit_additive, {"knots": STRAIGHT_KNOTS, "sparse": True})
    few = [LINEAR_STRAIGHT] if rows <= MAX_ROWS_STRAIGHT else []
    return [*few, spare] if few and rows <= ROWS_PER_FEATURE_SPARSE * features else few


def _quick(networks: list[Candidate], width: int) -> list[Candidate]:
    forest, linear = Candidate("ExtraTrees", fit_extra_trees), Candidate("Linear", fit_additive)
    if width > MAX_CLASSES_FULL:
        few = {"num_leaves": 15, "learning_rate": 0.15}
        boosted = Candidate("LightGBM", fit_lightgbm, {**SUBSAMPLED, **few})
        return [forest, LINEAR_STRAIGHT, *networks[:1], linear, boosted]
    quick = {**SUBSAMPLED, "learning_rate": 0.1}
    boosted = Candidate("LightGBM", fit_lightgbm, {**quick, "num_leaves": 31})
    large = Candidate("LightGBM large", fit_lightgbm, {**quick, "num_leaves": 128})
    return [boosted, *networks, forest, large, linear]


SEARCH_SPACES: dict[Estimator, tuple[str, dict[str, tuple[Any, ...]]]] = {
    fit_lightgbm: (
        "LightGBM",
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
    ),
    fit_catboost: (
        "CatBoost",
        {
            "depth": (4, 5, 6, 7, 8),
            "learning_rate": (0.04, 0.06, 0.1),
            "l2_leaf_reg": (1.0, 3.0, 10.0),
            "random_strength": (0.5, 1.0, 2.0),
            "rsm": (0.5, 0.8, 1.0),
        },
    ),
    fit_xgboost: (
        "XGBoost",
        {
            "max_depth": (3, 4, 6, 8),
            "learning_rate": (0.02, 0.05, 0.1),
            "min_child_weight": (1.0, 5.0, 20.0),
            "colsample_bytree": (0.5, 0.8, 1.0),
            "subsample": (0.6, 0.8, 1.0),
            "reg_lambda": (1.0, 5.0, 20.0),
        },
    ),
    fit_extra_trees: (
        "ExtraTrees",
        {"least": (1, 2, 3, 5, 10), "max_features": (0.3, 0.5, 0.8, 1.0)},
    ),
    fit_additive: ("Linear", {"knots": (3, 6, 15, 25)}),
    fit_network: (
        "Network",
        {
            "drop": (0.1, 0.2, 0.3, 0.45),
            "rate": (0.004, 0.007, 0.01, 0.02),
            "visits": (200_000, 500_000, 1_000_000),
        },
    ),
}
CHANGES = 2
"""Settings that a variation draws anew."""


def mutate(number: int, seed: int, parents: Sequence[Candidate]) -> Candidate:
    """Draws a variation of one of the parents; the same number, seed and parents give the same."""
    maker = np.random.default_rng([seed, number])
    able = [one for one in parents if one.estimator in SEARCH_SPACES]
    parent = able[maker.integers(len(able))] if able else FALLBACK
    name, grid = SEARCH_SPACES[parent.estimator]
    changed = maker.choice(list(grid), size=min(CHANGES, len(grid)), replace=False).tolist()
    drawn = {one: maker.choice(np.array(grid[one])).item() for one in changed}
    return replace(parent, name=f"{name} {number + 1}", settings={**parent.settings, **drawn})
