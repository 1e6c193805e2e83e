"""Deals rows into parts that are alike in the target: the hold-out and the folds.

Dealt by chance alone, a fold of a rare class may have none of it, and its loss says nothing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.estimators.fold_data import Rows
from modelwright.engines.automl.planning.split_options import holdout_parts
from modelwright.engines.automl.planning.time_order import ages, latest
from modelwright_runtime.objective import Floats

SMALL_ROWS = 3000
"""Below so many rows there are eight folds instead of five."""
LARGE_ROWS = 10_000
"""From so many rows on three folds of five are enough."""
TIME_PARTS = 10
"""Parts that rows in the order of time are cut into."""
MAX_TIME_FOLDS = 5
"""How many of the latest of these may be folds."""
COMPARISON_ROWS = 1000
"""Candidates are compared after so many rows at least: what fewer say is mostly noise."""


def _stratified_parts(y: Floats, parts: int, seed: int) -> NDArray[np.intp]:
    """Returns a part number for each row, shape (n,); each part has its share of all classes.

    Of a target of numbers, each has its share of every range of values.
    """
    maker = np.random.default_rng(seed)
    order = np.lexsort((maker.random(len(y)), y))
    rounds = -(-len(y) // parts)
    dealt = maker.permuted(np.tile(np.arange(parts), (rounds, 1)), axis=1).ravel()[: len(y)]
    numbers = np.empty(len(y), dtype=np.intp)
    numbers[order] = dealt
    return numbers


def _grouped_parts(
    y: Floats, parts: int, seed: int, groups: NDArray[np.intp] | None
) -> NDArray[np.intp]:
    """Returns part numbers as `_stratified_parts` does, one for all rows of a group."""
    if groups is None:
        return _stratified_parts(y, parts, seed)
    _, places, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    means = np.bincount(places, y) / sizes
    return _stratified_parts(means, parts, seed)[places]


def holdout_mask(
    y: Floats,
    seed: int,
    times: Floats | None = None,
    groups: NDArray[np.intp] | None = None,
    parts: int | None = None,
) -> NDArray[np.bool_]:
    """Marks the rows that no model sees before the metrics are taken.

    Args:
        y: The target, shape (n,).
        seed: What the rows are drawn by.
        times: When each row was, shape (n,); the latest rows are held out.
        groups: A number for each row, shape (n,); rows of one number stay together.
        parts: One row in so many is held out; by default as many as the metrics need.

    Returns:
        Which rows are held out, shape (n,).
    """
    parts = parts or holdout_parts(len(y))
    if times is None:
        return stratified_mask(y, parts, seed, groups)
    return latest(times, parts)


def stratified_mask(
    y: Floats, parts: int, seed: int, groups: NDArray[np.intp] | None = None
) -> NDArray[np.bool_]:
    """Marks the rows of one part.

    Where few rows differ from the commonest class or value, some of them are among these, some not.

    Args:
        y: Numbers of classes or values of the target, shape (n,).
        parts: How many parts there are.
        seed: What random choices are drawn by.
        groups: A number for each row, shape (n,); rows of one number stay together.

    Returns:
        Shape (n,).
    """
    dealt = _grouped_parts(y, parts, seed, groups)
    told = _telling(y, dealt, parts)
    able = np.flatnonzero((told > 0) & (told < told.sum()))
    return np.equal(dealt, able[0] if len(able) else 0)


def make_folds(
    y: Floats,
    seed: int,
    times: Floats | None = None,
    groups: NDArray[np.intp] | None = None,
) -> list[tuple[Rows, Rows]]:
    """Deals rows into folds, each of rows to learn from and rows to be judged on.

    None is judged on rows that are all alike as long as there are others: nothing stops a model
    there from growing ever surer of what it has not been asked. With times, each is judged on rows
    later than those it learns from, the latest first, unless nearly all rows have one moment.

    Args:
        y: Numbers of classes or values of the target, shape (n,).
        seed: What random choices are drawn by.
        times: A number for each row that rises in time, shape (n,).
        groups: A number for each row, shape (n,); rows of one number stay together.

    Returns:
        For each fold the rows to learn from and the rows to be judged on.
    """
    parts, folds = fold_counts(len(y))
    if times is not None:
        found = ages(times, TIME_PARTS)
        last = np.unique(found)[:0:-1][: min(folds, MAX_TIME_FOLDS)]
        if len(last):
            return [(np.flatnonzero(found < one), np.flatnonzero(found == one)) for one in last]
    dealt = _grouped_parts(y, parts, seed, groups)
    told = _telling(y, dealt, parts)
    able = np.flatnonzero(told) if told.any() else np.arange(parts)
    return [(np.flatnonzero(dealt != part), np.flatnonzero(dealt == part)) for part in able[:folds]]


def _telling(y: Floats, dealt: NDArray[np.intp], parts: int) -> NDArray[np.intp]:
    """Counts the rows of each part that are not of the commonest class or value."""
    _, places, counts = np.unique(y, return_inverse=True, return_counts=True)
    return np.bincount(dealt[places != counts.argmax()], minlength=parts)


def fold_counts(rows: int) -> tuple[int, int]:
    """Returns how many parts to deal, and how many of them are folds.

    Fewer tell enough of many rows.

    The time that the others would take goes into more candidates.

    Args:
        rows: How many rows there are.

    Returns:
        Parts and folds.
    """
    if rows < LARGE_ROWS:
        parts = 8 if rows < SMALL_ROWS else 5
        return parts, parts
    return 5, 3


def comparison_folds(folds: Sequence[tuple[Rows, Rows]]) -> int:
    """Returns how many folds hold out rows enough to compare candidates on.

    Args:
        folds: For each fold the rows to learn from and the rows to be judged on.

    Returns:
        How many of them, 1 at least.
    """
    return min(len(folds), -(-COMPARISON_ROWS // len(folds[0][1])))
