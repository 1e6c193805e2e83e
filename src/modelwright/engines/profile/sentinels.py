"""Values that probably stand for none: isolated at the edge of a column and of a telling kind."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

from modelwright.engines.profile.counting import Column, Counts

LEAST = 2
"""A value that occurs once is an outlier, no sign for something."""
SHARE = 0.01
LEAST_GAP = 10
"""Between a zero that stands for none and the next value; counts have no such gap."""
NINES = {float("9" * digits) for digits in range(2, 10)} | {
    -float("9" * digits) for digits in range(1, 10)
}
EXTREMES = {float(2**bits - 1) for bits in (15, 16, 31, 32)} | {-float(2**31), -float(2**15)}
DAYS = {
    date(1, 1, 1), date(1753, 1, 1), date(1899, 12, 30), date(1899, 12, 31), date(1900, 1, 1),
    date(1970, 1, 1), date(1980, 1, 1), date(2099, 12, 31), date(2999, 12, 31), date(9999, 12, 31),
}  # fmt: skip
FAR_DAYS = 365.0


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A value, how often it occurs, and the nearest other one."""

    value: Any
    count: int
    next: Any


def sentinels(column: Column) -> list[Sentinel]:
    """Finds the sentinels of a number or date column, at either end."""
    if column.type == "date":
        return _at_ends(column, _strange_day)
    if column.numbers is None:
        return []
    return _at_ends(column, lambda *asked: _strange_number(column, *asked))


Judge = Callable[[Any, int, Any], bool]


def _at_ends(column: Column, is_strange: Judge) -> list[Sentinel]:
    return [found for end in (column.lowest, column.highest) for found in _from_edge(end, is_strange)]  # fmt: skip  # noqa: E501


def _from_edge(edge: Counts, is_strange: Judge) -> list[Sentinel]:
    """Goes inwards as long as values are strange: -99 may hide behind -999."""
    found: list[Sentinel] = []
    for (value, number), (inner, _) in pairwise(edge):
        if number < LEAST or not is_strange(value, number, inner):
            break
        found.append(Sentinel(value, number, inner))
    return found


def _strange_number(column: Column, value: float, number: int, inner: float) -> bool:
    told = column.numbers
    assert told is not None  # noqa: S101 - only asked of numbers
    gap, spread = abs(value - inner), told.at(0.75) - told.at(0.25)
    inside = told.at(0.95) - told.at(0.05)
    if value == -1:
        return inner >= 0
    if value == 0:
        often = number >= max(SHARE * column.present, LEAST + 1)
        return often and inner >= LEAST_GAP and inner >= told.median / 4 > 0
    if value not in NINES | EXTREMES:
        return False
    often = number >= SHARE * column.present and number >= 2 * _commonest(column, value)
    return gap > max(spread, inside / 2) or (often and gap > spread / 2)


def _commonest(column: Column, but: float) -> int:
    return next((number for value, number in column.top if value != but), 0)


def _strange_day(value: date, number: int, inner: date) -> bool:
    del number
    day = value.date() if isinstance(value, datetime) else value
    return day in DAYS and abs(_moment(inner) - _moment(value)) > FAR_DAYS


def _moment(value: date) -> float:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC).timestamp() / 86400
    return float(value.toordinal())
