"""Target statistics of categories, cross-fitted so that no row sees its own target.

A level's statistic is its mean of the raw prediction target, drawn to the overall mean by a few
phantom rows (Micci-Barreca 2001).
"""

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.features.encoding import CategoryCodes, Encoded
from modelwright_runtime.columns import CategoryColumn, Features, NominalIntegerColumn
from modelwright_runtime.objective import Floats, Objective

PRIOR_STRENGTH = 10.0
"""Rows of the overall mean that are added to each level's own."""
CROSS_FIT_PARTS = 5
"""Parts that training rows are cross-fitted in."""
MAX_CLASSES = 5
"""Above this many classes the statistics are left out: they would be more than the rest."""


def n_target_statistics(goal: Objective) -> int:
    """Returns how many statistics a category has: one, or one for each of a few classes.

    Args:
        goal: What is learnt.

    Returns:
        A count; 0 where there are more classes than `MAX_CLASSES`.
    """
    return goal.width if goal.width <= MAX_CLASSES else 0


def statistic_targets(goal: Objective, truth: Floats) -> Floats:
    """Returns what is averaged, shape (n, statistics).

    Args:
        goal: What is learnt.
        truth: The target as numbers, shape (n,).

    Returns:
        Indicators of classes, or the target on the scale of raw predictions.
    """
    if goal.task == "multiclass":
        return np.eye(goal.classes)[truth.astype(np.intp)][:, : n_target_statistics(goal)]
    return (goal.scale.transform(truth) if goal.task == "regression" else truth)[:, None]


def cross_fit(
    encoded: Encoded,
    targets: Floats,
    train: NDArray[np.intp],
    seed: int,
    *,
    in_place: bool = False,
) -> tuple[Features, dict[int, Features]]:
    """Fills the statistics as seen from the training rows.

    Returns the features of all rows (training rows cross-fitted in five parts, the others by the
    whole training part) and the finished tables by column number.

    Args:
        encoded: The features with statistics left blank.
        targets: What is averaged, shape (n, statistics).
        train: Numbers of the training rows.
        seed: What the parts are drawn by.
        in_place: Whether the features themselves are written into, not a copy.

    Returns:
        Features, float32, shape (n, width), and tables by the number of their column.
    """
    features = encoded.features if in_place else encoded.features.copy()
    tables: dict[int, Features] = {}
    parts = np.random.default_rng(seed).permutation(len(train)) % CROSS_FIT_PARTS
    for coded in encoded.coded:
        column = encoded.encoder.columns[coded.column]
        if not isinstance(column, CategoryColumn | NominalIntegerColumn) or not targets.shape[1]:
            continue
        table = column.table.copy()
        first = table.shape[1] - targets.shape[1]
        table[:, first:] = _means(coded, targets, train)
        tables[coded.column] = table
        place = slice(coded.at + first, coded.at + table.shape[1])
        features[:, place] = table[coded.rows, first:]
        for part in range(CROSS_FIT_PARTS):
            inside, outside = train[parts == part], train[parts != part]
            features[inside, place] = _means(coded, targets, outside)[coded.rows[inside]]
    return features, tables


def _means(coded: CategoryCodes, targets: Floats, rows: NDArray[np.intp]) -> Features:
    codes, seen = coded.rows[rows], targets[rows]
    counts = np.bincount(codes, minlength=coded.levels + 2)[:, None]
    sums = np.stack(
        [np.bincount(codes, weights=one, minlength=coded.levels + 2) for one in seen.T], axis=1
    )
    prior = seen.mean(axis=0) if len(seen) else np.zeros(seen.shape[1])
    return np.asarray((sums + PRIOR_STRENGTH * prior) / (counts + PRIOR_STRENGTH), dtype=np.float32)
