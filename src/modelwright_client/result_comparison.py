"""When two results say the same: columns matched by content, order only where it was asked for.

It is the one measure of a right answer: the benchmarks and `evaluate-questions` count by it.
"""

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

Row = Sequence[Any]
Cell = float | str | None
Column = tuple[Cell, ...]

MORE_COLUMNS = 3
"""Columns that an answer may show beside the one figure that was asked for."""
RELATIVE_TOLERANCE = 1e-3
"""The relative difference up to which two numbers are the same answer."""
ROUNDED_DIGITS = 2
"""An answer may be rounded to so many digits or more."""
FIRST_YEAR = 1500
"""Whole numbers after this one may be years."""
LAST_YEAR = 2200
"""Whole numbers before this one may be years."""
ACTUAL_DIGITS = 10
"""Digits of a number that count as shown on purpose."""


def same_result(expected: Sequence[Row], actual: Sequence[Row], *, ordered: bool = False) -> bool:
    """Returns whether an actual result holds the expected columns, row by row.

    A group of missing values may be shown or left out, an answer may show more columns of the same
    rows, and numbers may be rounded.

    Args:
        expected: Rows of the right result.
        actual: Rows of the result that is judged.
        ordered: Whether the rows must also come in the same order.

    Returns:
        Whether both say the same.
    """
    return any(
        _same(one, other, ordered=ordered)
        for one in _with_and_without_missing(expected)
        for other in _with_and_without_missing(actual)
    )


def _with_and_without_missing(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    yield rows
    known = [row for row in rows if row and row[0] is not None]
    if rows and len(rows[0]) > 1 and 0 < len(known) < len(rows):
        yield known


def _same(expected: Sequence[Row], actual: Sequence[Row], *, ordered: bool) -> bool:
    if len(expected) != len(actual):
        return False
    if not expected:
        return True
    wanted, shown = _columns(expected), _columns(actual)
    is_figure = len(expected) == len(wanted) == 1 and isinstance(wanted[0][0], float)
    most = len(wanted) + MORE_COLUMNS if is_figure else len(shown)
    if not len(wanted) <= len(shown) <= most:
        return False
    fitting = [
        [at for at, other in enumerate(shown) if _as(other, column) is not None]
        for column in wanted
    ]
    return any(
        _rows_fit(wanted, [shown[at] for at in chosen], ordered=ordered)
        for chosen in _pairings(fitting)
    )


def _pairings(fitting: list[list[int]], taken: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if len(taken) == len(fitting):
        yield taken
        return
    for at in fitting[len(taken)]:
        if at not in taken:
            yield from _pairings(fitting, (*taken, at))


def _rows_fit(wanted: list[Column], shown: list[Column], *, ordered: bool) -> bool:
    meant = [_as(other, column) for other, column in zip(shown, wanted, strict=True)]
    left = list(zip(*wanted, strict=True))
    right = list(zip(*(one for one in meant if one is not None), strict=True))
    if not ordered:
        left, right = sorted(left, key=_sort_key), sorted(right, key=_sort_key)
    return all(
        _cell_fits(one, other)
        for row, actual in zip(left, right, strict=True)
        for one, other in zip(row, actual, strict=True)
    )


def _as(shown: Column, wanted: Column) -> Column | None:
    """Puts a shown column in the wanted one's terms, where it holds its cells in any order."""
    others = (_years(shown, wanted), _months(shown), _numbers(shown, wanted))
    for terms in (shown, *others):
        if terms is not None and _cells_fit(wanted, terms):
            return terms
    return None


def _cells_fit(wanted: Column, shown: Column) -> bool:
    left = sorted(((one,) for one in wanted), key=_sort_key)
    right = sorted(((one,) for one in shown), key=_sort_key)
    return all(_cell_fits(one, other) for (one,), (other,) in zip(left, right, strict=True))


def _years(shown: Column, wanted: Column) -> Column | None:
    """Reads first days of years as the years they stand for, or the other way."""
    if all(isinstance(one, str) and one.endswith("-01-01") for one in shown):
        return tuple(float(str(one)[:4]) for one in shown)
    first = all(isinstance(one, str) and one.endswith("-01-01") for one in wanted)
    if first and all(isinstance(one, float) and FIRST_YEAR < one < LAST_YEAR for one in shown):
        return tuple(f"{int(one):04}-01-01" for one in shown if isinstance(one, float))
    return None


def _months(shown: Column) -> Column | None:
    """Reads first days of months of one year as the months they stand for."""
    days = [str(one) for one in shown]
    is_month = all(re.fullmatch(r"\d{4}-\d\d-01", one) for one in days)
    if is_month and len({one[:4] for one in days}) == 1:
        return tuple(float(one[5:7]) for one in days)
    return None


def _numbers(shown: Column, wanted: Column) -> Column | None:
    if not all(isinstance(one, float) for one in wanted if one is not None):
        return None
    try:
        return tuple(None if one is None else float(one) for one in shown)
    except ValueError:
        return None


def _cell_fits(expected: Cell, actual: Cell) -> bool:
    if not isinstance(expected, float) or not isinstance(actual, float):
        return expected == actual
    if expected == actual or (math.isnan(expected) and math.isnan(actual)):
        return True
    if expected.is_integer() and actual.is_integer():
        return False
    digits = len(f"{actual:.{ACTUAL_DIGITS}g}".partition(".")[2])
    half_a_digit: float = 0.5 * 10.0**-digits + 1e-12
    is_rounded = digits >= ROUNDED_DIGITS and abs(expected - actual) <= half_a_digit
    return is_rounded or math.isclose(expected, actual, rel_tol=RELATIVE_TOLERANCE)


def _sort_key(row: Sequence[Cell]) -> tuple[Any, ...]:
    """Puts words before figures, so that figures that were rounded move no row."""
    words = tuple(one or "" for one in row if not isinstance(one, float))
    return (words, tuple(one for one in row if isinstance(one, float)))


def _columns(rows: Sequence[Row]) -> list[Column]:
    return [tuple(map(_cell, column)) for column in zip(*rows, strict=True)]


def _cell(value: Any) -> Cell:
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | Decimal):
        return float(value)
    text = value.isoformat() if isinstance(value, date) else str(value).strip()
    if re.fullmatch(r"\d{4}-\d\d", text):
        return f"{text}-01"
    if midnight := re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ]00:00:00(\.0+)?", text):
        return midnight[1]
    return text.lower() if text.lower() in {"true", "false"} else text
