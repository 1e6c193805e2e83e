"""Learns what a network reads of features: how they are scaled and scored, and which by value."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from modelwright.engines.automl.estimators.fold_data import FoldData, Rows
from modelwright_runtime.columns import CategoryColumn
from modelwright_runtime.network import Inputs
from modelwright_runtime.objective import Floats

MAX_INPUTS = 1000
"""Levels and values are read while there are no more inputs than this."""
MAX_KNOTS = 12
"""Knots of the scores of a number."""
MAX_VALUES = 64
"""A number of at most so many values can be read by its values."""


def fit_inputs(data: FoldData, train: Rows, *, stepped: bool) -> Inputs:
    """Learns how features are scaled and scored, and which are read by their values.

    Args:
        data: The rows as a fold sees them.
        train: Numbers of the rows to learn from.
        stepped: Whether numbers of few values are read by value too.

    Returns:
        What a network reads.
    """
    smooth, level, sizes = _places(data)
    known = [_known(data.features[train, feature]) for feature in smooth]
    scaled = np.array([_scale(values) for values in known]).reshape(-1, 2)
    scores = [_scores(values) for values in known]
    own = [np.unique(values) for values in known] if stepped else []
    few = [place for place, values in enumerate(own) if 2 < len(values) <= MAX_VALUES]  # noqa: PLR2004 - two are one number
    room = max(0, MAX_INPUTS - 3 * len(smooth))
    kept = _fitting(sizes, room)
    level, sizes = [level[place] for place in kept], [sizes[place] for place in kept]
    few = few[: (room - sum(sizes)) // MAX_VALUES]
    return Inputs(
        np.array(smooth, dtype=np.int64), scaled[:, 0], scaled[:, 1],
        _padded([knots for knots, _ in scores], np.inf), _padded([score for _, score in scores]),
        np.array(level, dtype=np.int64), np.array(sizes, dtype=np.int64),
        np.array(smooth, dtype=np.int64)[few], _padded([own[place] for place in few], np.inf),
    )  # fmt: skip


def _places(data: FoldData) -> tuple[list[int], list[int], list[int]]:
    """Returns the features of numbers, those of codes, and how many levels each code has."""
    codes = [(at, column) for at, column in data.placed() if isinstance(column, CategoryColumn)]
    smooth = data.features_except("code", "hot", "level")
    return smooth, [at for at, _ in codes], [len(column.levels) + 2 for _, column in codes]


def _fitting(sizes: list[int], room: int) -> list[int]:
    """Returns the places of as many sizes, the smallest first, as there is room for."""
    order = np.argsort(sizes, kind="stable")
    return sorted(order[np.cumsum(np.array(sizes, dtype=np.int64)[order]) <= room].tolist())


def _known(values: NDArray[np.float32]) -> Floats:
    known = values[~np.isnan(values)].astype(np.float64)
    return known if len(known) else np.zeros(1)


def _scale(values: Floats) -> tuple[float, float]:
    """Returns the median, and the quarters' distance as a standard deviation of normal values."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    spread = (high - low) / (2 * ndtri(0.75)) or (values.max() - values.min()) / 2
    return float(middle), float(spread) or 1.0


def _scores(values: Floats) -> tuple[Floats, Floats]:
    """Returns knots among the values and the normal scores of their mean ranks."""
    knots = np.unique(np.quantile(values, np.linspace(0.0, 1.0, MAX_KNOTS)))
    ordered, count = np.sort(values), len(values)
    ranks = (np.searchsorted(ordered, knots) + np.searchsorted(ordered, knots, "right")) / 2
    least = 0.5 / count
    return knots, np.asarray(ndtri(np.clip(ranks / count, least, 1 - least)))


def _padded(rows: list[Floats], filler: float | None = None) -> Floats:
    """Makes one array of rows, at least two wide, filled up by a value or by each row's last."""
    wide = max([2, *map(len, rows)])
    filled = [
        np.concatenate([row, np.full(wide - len(row), row[-1] if filler is None else filler)])
        for row in rows
    ]
    return np.array(filled).reshape(len(rows), wide)
