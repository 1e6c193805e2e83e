"""Whether the rows of a table are in the order of time, by which columns, and when each one was.

Held out at random, rows of a time series are told by their neighbours, and metrics promise what no
forecast keeps.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from modelwright.engines.automl.planning.load_columns import Frame, Kind, RawColumn, raw_column
from modelwright_runtime.date_parsing import NO_DATE, ORDERS, month_called
from modelwright_runtime.objective import Floats

MIN_STEPS = 20
"""So many steps onward make an order of time, for the first row and for each step back."""
YEAR = re.compile(r"year|yr", re.IGNORECASE)
WITHIN = tuple(
    re.compile(word, re.IGNORECASE) for word in ("quarter|qtr", "month|mon", "week", "day", "hour")
)
"""Parts of a year, each of those within the one before."""
MAX_PART = 1000
"""Parts are numbers below this."""


def ordered_by(kinds: Mapping[str, Kind], whole: pa.Table, sample: pa.Table) -> tuple[str, ...]:
    """Names the columns in whose order of time the rows are, if there are any.

    One of dates, or one of years with numbers of their months and the like, or months' names. Rows
    may be of several series, one after the other, each in order. Dates in strings are read of the
    sample alone.

    Args:
        kinds: How each column is read.
        whole: All rows.
        sample: Some rows, in their order.

    Returns:
        Names of columns, the coarsest first.
    """
    for names in _told(kinds, sample):
        parts = {}
        for name in names:
            dated = pa.types.is_temporal(sample[name].type)
            table = sample if kinds[name] in ORDERS else whole
            parts[name] = raw_column(table[name], "date" if dated else kinds[name])
        if _in_order(moments(parts, names)):
            return names
    return ()


def is_year(name: str) -> bool:
    """Returns whether a column is called a year.

    Args:
        name: Name of a column.

    Returns:
        Whether it is.
    """
    return YEAR.fullmatch(name) is not None


def moments(frame: Frame, names: Sequence[str]) -> Floats:
    """Returns a number for each row that rises in time, minus infinity where it is not known.

    Args:
        frame: Columns by their name, n rows.
        names: The columns, the coarsest first.

    Returns:
        Shape (n,), comparable with each other only.
    """
    first = frame[names[0]]
    if first.kind == "date":
        return np.where(first.values == NO_DATE, -np.inf, first.values.astype(np.float64))
    parts = [_numbers(frame[name]) for name in names]
    found = parts[0]
    for part in parts[1:]:
        found = found * MAX_PART + part
    return np.where(np.isnan(found), -np.inf, found)


def known_moments(frame: Frame, names: Sequence[str]) -> Floats | None:
    """Returns the moments of rows by the columns of a plan, None where all known are the same.

    Args:
        frame: Columns by their name, n rows.
        names: The columns, the coarsest first; none where time has no order.

    Returns:
        Shape (n,), or None.
    """
    if not names:
        return None
    found = moments(frame, names)
    known = found[np.isfinite(found)]
    return found if len(known) and known.min() < known.max() else None


def ages(times: Floats, parts: int) -> NDArray[np.intp]:
    """Numbers parts in the order of time; rows of one moment are in the same part.

    Args:
        times: When each row was, shape (n,); minus infinity where it is not known.
        parts: How many parts rows of known moments are cut into.

    Returns:
        Numbers of parts, shape (n,); rows of no known moment are in the first.
    """
    known = np.sort(times[np.isfinite(times)])
    return np.searchsorted(known, times) * parts // max(len(known), 1)


def latest(times: Floats, parts: int) -> NDArray[np.bool_]:
    """Marks the latest part of rows; where nearly all are of the last moment, all of this one.

    Args:
        times: When each row was, shape (n,), as `moments` tells it.
        parts: One row in so many is marked, or more where they are of one moment.

    Returns:
        Shape (n,).
    """
    found = ages(times, parts)
    order = found if found.any() else times
    return np.asarray(order == order.max())


def _numbers(raw: RawColumn) -> Floats:
    if raw.kind == "category":
        known = [month_called(level) or np.nan for level in raw.levels]
        return np.asarray(np.array([*known, np.nan])[raw.values])
    return np.asarray(raw.values, dtype=np.float64)


def _told(kinds: Mapping[str, Kind], sample: pa.Table) -> Iterator[tuple[str, ...]]:
    for name, kind in kinds.items():
        if kind == "date" or kind in ORDERS:
            yield (name,)
    numbers = [name for name, kind in kinds.items() if kind == "number"]
    named = [name for name, kind in kinds.items() if kind == "category" and _months(sample[name])]
    within = [name for word in WITHIN for name in (*numbers, *named) if word.fullmatch(name)]
    for name in filter(is_year, numbers):
        yield (name, *within)


def _months(column: pa.ChunkedArray) -> bool:
    return all(map(month_called, column.drop_null().unique().to_pylist()))


def _in_order(times: Floats) -> bool:
    steps = np.diff(times[np.isfinite(times)])
    onward, back = int((steps > 0).sum()), int((steps < 0).sum())
    return max(onward, back) > MIN_STEPS * (min(onward, back) + 1)
