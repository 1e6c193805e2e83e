"""Deals rows into parts that are alike in the target: the hold-out and the folds."""

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.goals import Floats

SHARE = 6
"""One row in so many is held out."""
MOST_HELD = 20_000
SMALL, LARGE = 3000, 10_000


def deal(truth: Floats, parts: int, seed: int) -> NDArray[np.intp]:
    """Gives each row a part number; every part has its share of each class or range of values."""
    maker = np.random.default_rng(seed)
    order = np.lexsort((maker.random(len(truth)), truth))
    rounds = -(-len(truth) // parts)
    dealt = maker.permuted(np.tile(np.arange(parts), (rounds, 1)), axis=1).ravel()[: len(truth)]
    numbers = np.empty(len(truth), dtype=np.intp)
    numbers[order] = dealt
    return numbers


def held_out(truth: Floats, seed: int) -> NDArray[np.bool_]:
    """Marks the rows that no model sees before the metrics are taken."""
    parts = max(SHARE, -(-len(truth) // MOST_HELD))
    return np.equal(deal(truth, parts, seed), 0)


def folds_for(rows: int) -> tuple[int, int]:
    """Gives how many parts to deal, and how many of them are folds: fewer tell enough of many rows.

    The time that the others would take goes into more contenders.
    """
    if rows < LARGE:
        parts = 8 if rows < SMALL else 5
        return parts, parts
    return 5, 3
