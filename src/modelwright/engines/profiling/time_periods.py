"""Periods of a column of dates, one after the other."""

from collections.abc import Sequence
from datetime import datetime, timedelta

_LENGTHS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


def with_empty_periods(
    periods: Sequence[tuple[datetime, int]], unit: str
) -> list[tuple[datetime, int]]:
    """Puts in the periods that have no rows.

    Args:
        periods: The beginning of each period that has rows, in order, and how many; not empty.
        unit: hour, day, week, month or year.

    Returns:
        The same with a 0 for each period in between.
    """
    counted = dict(periods)
    at, last = periods[0][0], periods[-1][0]
    every: list[tuple[datetime, int]] = []
    while at < last:
        every.append((at, counted.get(at, 0)))
        at = _next(at, unit)
    return [*every, (last, counted[last])]


def _next(at: datetime, unit: str) -> datetime:
    if unit == "month":
        return at.replace(year=at.year + at.month // 12, month=at.month % 12 + 1)
    if unit == "year":
        return at.replace(year=at.year + 1)
    return at + _LENGTHS[unit]
