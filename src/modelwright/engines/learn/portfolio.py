"""The fixed portfolio: which models race, in which order, with which settings."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from modelwright.engines.learn.boosting import fit_boosting
from modelwright.engines.learn.constant import fit_constant
from modelwright.engines.learn.forests import fit_forest
from modelwright.engines.learn.linear import fit_linear
from modelwright.engines.learn.member import Family
from modelwright.engines.learn.oblivious import fit_oblivious

MANY = 30
RANDOM = {"bagging_fraction": 0.8, "bagging_freq": 1, "feature_fraction": 0.8}


@dataclass(frozen=True, slots=True)
class Contender:
    """A model that can race."""

    name: str
    family: Family
    settings: dict[str, Any] = field(default_factory=dict)


BASELINE = Contender("Constant", fit_constant)


def portfolio(kinds: Collection[str], width: int) -> list[Contender]:
    """Gives the contenders for these kinds of slots in racing order, quick and useful first.

    With many classes, where each round of boosting grows a tree a class, only the quick ones.
    """
    if width > MANY:
        few = {"num_leaves": 15, "learning_rate": 0.15}
        return [
            Contender("ExtraTrees", fit_forest),
            Contender("Linear", fit_linear),
            Contender("LightGBM", fit_boosting, {**RANDOM, **few}),
        ]
    coded = [
        Contender("CatBoost codes", fit_oblivious, {"depth": 6, "without": ("statistic",)}),
    ]
    return [
        Contender("LightGBM", fit_boosting, {**RANDOM, "num_leaves": 31}),
        Contender("Linear", fit_linear),
        Contender("CatBoost", fit_oblivious, {"depth": 6}),
        Contender("ExtraTrees", fit_forest),
        *(coded if "statistic" in kinds else ()),
        Contender("LightGBM small", fit_boosting, {**RANDOM, "num_leaves": 8, "without": ()}),
        Contender("LightGBM large", fit_boosting, {**RANDOM, "num_leaves": 128}),
        Contender(
            "LightGBM extra", fit_boosting, {**RANDOM, "num_leaves": 31, "extra_trees": True}
        ),
        Contender("CatBoost deep", fit_oblivious, {"depth": 8}),
        Contender("Linear coarse", fit_linear, {"knots": 4}),
    ]


def variation(number: int, seed: int) -> Contender:
    """Draws a variation of the boosted families; the same number and seed give the same one."""
    maker = np.random.default_rng([seed, number])
    if number % 2:
        return Contender(
            f"CatBoost {number}",
            fit_oblivious,
            {
                "depth": int(maker.integers(4, 9)),
                "l2_leaf_reg": float(maker.choice([1.0, 3.0, 10.0])),
                "random_strength": float(maker.choice([0.5, 1.0, 2.0])),
                "rsm": float(maker.choice([0.5, 0.8, 1.0])),
            },
        )
    return Contender(
        f"LightGBM {number}",
        fit_boosting,
        {
            "num_leaves": int(maker.choice([6, 12, 24, 48, 96])),
            "min_data_in_leaf": int(maker.choice([5, 20, 50, 100])),
            "feature_fraction": float(maker.choice([0.4, 0.6, 0.8])),
            "bagging_fraction": float(maker.choice([0.6, 0.8, 1.0])),
            "bagging_freq": 1,
            "lambda_l2": float(maker.choice([0.0, 1.0, 10.0])),
            "extra_trees": bool(maker.random() < 0.3),  # noqa: PLR2004 - three in ten
        },
    )
