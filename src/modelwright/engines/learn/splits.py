"""Deals rows into parts that are alike in the target: the hold-out and the folds."""

import numpy as np
from numpy.typing import NDArray

from modelwright_client.predictor.goals import Floats

SHARE = 6
"""One row in so many is held out."""
MOST_HELD = 20_000
SMALL = 3000


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


def folds_for(rows: int) -> int:
    """Gives the number of folds: more where there are few rows."""
    return 8 if rows < SMALL else 5
