"""Target statistics of categories, cross-fitted so that no row sees its own target.

A level's statistic is its mean of the link target, drawn to the overall mean by a few phantom
rows (Micci-Barreca 2001).
"""

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.features.encoding import Coded, Encoded
from modelwright_runtime.columns import CategoryColumn, CodedColumn, Slots
from modelwright_runtime.objective import Floats, Goal

PHANTOMS = 10.0
PARTS = 5
CLASSES = 5
"""Above this many classes the statistics are left out: they would be more than the rest."""


def statistics_of(goal: Goal) -> int:
    """Gives how many statistics a category has: one, or one for each of a few classes."""
    return goal.width if goal.width <= CLASSES else 0


def targets_of(goal: Goal, truth: Floats) -> Floats:
    """Gives what is averaged, shape (n, statistics)."""
    if goal.task == "multiclass":
        return np.eye(goal.classes)[truth.astype(np.intp)][:, : statistics_of(goal)]
    return (goal.scale.link(truth) if goal.task == "regression" else truth)[:, None]


def fill(
    encoded: Encoded, targets: Floats, train: NDArray[np.intp], seed: int
) -> tuple[Slots, dict[int, Slots]]:
    """Fills the statistics as seen from the training rows.

    Returns the slots of all rows (training rows cross-fitted in five parts, the others by the
    whole training part) and the finished tables by column number.
    """
    slots = encoded.slots.copy()
    tables: dict[int, Slots] = {}
    parts = np.random.default_rng(seed).permutation(len(train)) % PARTS
    for coded in encoded.coded:
        column = encoded.encoder.columns[coded.column]
        if not isinstance(column, CategoryColumn | CodedColumn) or not targets.shape[1]:
            continue
        table = column.table.copy()
        first = table.shape[1] - targets.shape[1]
        table[:, first:] = _means(coded, targets, train)
        tables[coded.column] = table
        place = slice(coded.at + first, coded.at + table.shape[1])
        slots[:, place] = table[coded.rows, first:]
        for part in range(PARTS):
            inside, outside = train[parts == part], train[parts != part]
            slots[inside, place] = _means(coded, targets, outside)[coded.rows[inside]]
    return slots, tables


def _means(coded: Coded, targets: Floats, rows: NDArray[np.intp]) -> Slots:
    codes, seen = coded.rows[rows], targets[rows]
    counts = np.bincount(codes, minlength=coded.levels + 2)[:, None]
    sums = np.stack(
        [np.bincount(codes, weights=one, minlength=coded.levels + 2) for one in seen.T], axis=1
    )
    prior = seen.mean(axis=0) if len(seen) else np.zeros(seen.shape[1])
    return np.asarray((sums + PHANTOMS * prior) / (counts + PHANTOMS), dtype=np.float32)
