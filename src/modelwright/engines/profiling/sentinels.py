"""Values that probably stand for none: isolated at the edge of a column and of a telling kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.profiling.column_statistics import ColumnStats, Counts
from modelwright.engines.profiling.sorted_values import VALUES_AT_EACH_END

MIN_OCCURRENCES = 2
"""A value that occurs once is an outlier, no sign for something."""
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles by which the middle of a column is told from its edges."""
FREQUENT_SHARE = 0.01
"""The share of the rows from which on a value is there often."""
FEW_VALUES = 20
"""With so many different values or fewer, -1 or 99 may be one of a scale."""
FAR_SENTINEL = 999
"""A value as large stands for none on a scale of few values too, such as 999."""
LEAST_GAP = 10
"""Between a zero that stands for none and the next value; counts have no such gap."""
NINES = {float("9" * digits) for digits in range(2, 10)} | {
    -float("9" * digits) for digits in range(1, 10)
}
"""Numbers that people type where they have none: 999, -9; 9 itself is a usual value."""
EXTREMES = {float(2**bits - 1) for bits in (15, 16, 31, 32)} | {-float(2**31), -float(2**15)}
"""The ends of the integers of programs, which stand where one overflowed or had no value."""
DAYS = {
    date(1, 1, 1), date(1753, 1, 1), date(1899, 12, 30), date(1899, 12, 31), date(1900, 1, 1),
    date(1970, 1, 1), date(1980, 1, 1), date(2099, 12, 31), date(2999, 12, 31), date(9999, 12, 31),
}  # fmt: skip
"""First and last days of calendars and programs, which stand where no day is known."""
NEGATIVE_SENTINEL_UNIT = 100
"""A negative multiple of this, far from all others, stands for none: instruments write -200."""
FAR_DAYS = 365.0
"""Days between a special date and the next one from which on it stands apart."""


@dataclass(frozen=True, slots=True)
class Sentinel:
    """A value, how often it occurs, and the nearest other one."""

    value: Any
    count: int
    next: Any


@dataclass(frozen=True, slots=True)
class Middle:
    """Where most of a column's numbers lie."""

    present: int
    quantiles: Sequence[float]
    """At `SHARES`."""
    top: Counts
    """The most frequent values, most frequent first."""


def sentinels(column: ColumnStats) -> list[Sentinel]:
    """Finds the sentinels of a number or date column, at either end.

    Args:
        column: A counted column.

    Returns:
        Values with how often they occur.
    """
    ends = column.lowest, column.highest
    if column.type == "date":
        return _at_ends(ends, _strange_day)
    if column.numbers is None:
        return []
    middle = Middle(column.present, [*map(column.numbers.at, SHARES)], column.top)
    return _at_ends(ends, partial(_strange_number, middle))


def sure_sentinels(numbers: NDArray[np.float64]) -> list[Sentinel]:
    """Finds what nearly always stands for none in finite numbers, at either end.

    It is often there, and no class or step of a scale such as -1, 0 and 1.

    Args:
        numbers: Finite numbers, shape (n,).

    Returns:
        Values with how often they occur.
    """
    values, counts = np.unique(numbers, return_counts=True)
    if len(values) < MIN_OCCURRENCES:
        return []
    told = tuple(zip(values.tolist(), counts.tolist(), strict=True))
    top = tuple(sorted(told, key=lambda one: -one[1])[:2])
    middle = Middle(len(numbers), np.quantile(numbers, SHARES).tolist(), top)
    found = _at_ends(
        (told[:VALUES_AT_EACH_END], told[: -VALUES_AT_EACH_END - 1 : -1]),
        partial(_strange_number, middle),
    )
    often = [one for one in found if one.value != 0 and one.count >= FREQUENT_SHARE * len(numbers)]
    return [one for one in often if len(values) > FEW_VALUES or abs(one.value) >= FAR_SENTINEL]


Judge = Callable[[Any, int, Any], bool]


def _at_ends(ends: Sequence[Counts], is_strange: Judge) -> list[Sentinel]:
    return [found for end in ends for found in _from_edge(end, is_strange)]


def _from_edge(edge: Counts, is_strange: Judge) -> list[Sentinel]:
    """Goes inwards as long as values are strange: -99 may hide behind -999."""
    found: list[Sentinel] = []
    for (value, number), (inner, _) in pairwise(edge):
        if number < MIN_OCCURRENCES or not is_strange(value, number, inner):
            break
        found.append(Sentinel(value, number, inner))
    return found


def _strange_number(middle: Middle, value: float, number: int, inner: float) -> bool:
    low, first, median, third, high = middle.quantiles
    gap, spread, inside = abs(value - inner), third - first, high - low
    if value == -1:
        return inner >= 0
    if value == 0:
        often = number >= max(FREQUENT_SHARE * middle.present, MIN_OCCURRENCES + 1)
        return often and inner >= LEAST_GAP and inner >= median / 4 > 0
    if value not in NINES | EXTREMES and (value >= 0 or value % NEGATIVE_SENTINEL_UNIT):
        return False
    often = number >= FREQUENT_SHARE * middle.present and number >= 2 * _commonest(middle, value)
    return gap > max(spread, inside / 2) or (often and gap > spread / 2)


def _commonest(middle: Middle, but: float) -> int:
    return next((number for value, number in middle.top if value != but), 0)


def _strange_day(value: date, number: int, inner: date) -> bool:
    del number
    day = value.date() if isinstance(value, datetime) else value
    return day in DAYS and abs(_moment(inner) - _moment(value)) > FAR_DAYS


def _moment(value: date) -> float:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC).timestamp() / 86400
    return float(value.toordinal())
