"""What rows in the order of time would be told without a model: the last value, or a season's."""

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats

SEASONS = (4, 7, 12, 24, 52, 365)
"""Rows after which a season may come again: quarters, weekdays, months, hours, weeks and days."""
SEASONS_SEEN = 3
"""Seasons that the rows learnt from must have."""
MIN_DISTINCT_SHARE = 0.9
"""With fewer moments for each row there are several series, which have no one last value."""


def naive_predictions(y: Floats, times: Floats, held: NDArray[np.intp]) -> dict[str, Floats]:
    """Predicts held-out rows from earlier values of the target alone.

    `last_value` gives the value of the row before, `last_known` the last one that was learnt from,
    `season` the value of the same place in the latest season that was learnt from (Hyndman and
    Athanasopoulos 2021, "Forecasting: principles and practice", 5.2).

    Args:
        y: The target of all rows, shape (n,).
        times: When each row was, shape (n,), minus infinity where that is not known.
        held: The numbers of the held-out rows, the latest ones, shape (m,).

    Returns:
        By name what is predicted for these rows, shape (m,); nothing for several series at once.
    """
    known = np.isfinite(times)
    if len(np.unique(times[known])) < MIN_DISTINCT_SHARE * len(y):
        return {}
    order = np.argsort(times, kind="stable")
    series, place = y[order], np.empty(len(y), dtype=np.intp)
    place[order] = np.arange(len(y))
    own = place[held]
    first = int(own.min())
    if first < 1:
        return {}
    found = {
        "last_value": series[own - 1],
        "last_known": np.full(len(held), series[first - 1]),
    }
    season = _season(series[:first])
    if season:
        back = own - season * (1 + (own - first) // season)
        found["season"] = series[back]
    return found


def _season(series: Floats) -> int:
    """Returns the season whose values a season before are nearest, 0 where none is any use."""
    errors = {
        season: float(np.mean((series[season:] - series[:-season]) ** 2))
        for season in SEASONS
        if len(series) >= SEASONS_SEEN * season
    }
    return min(errors, key=errors.__getitem__, default=0)
