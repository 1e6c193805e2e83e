"""Counts one column exactly: how often each value occurs, once, and everything else from that.

Numbers and dates are counted in order, see `sorted_values`. Of texts and truths DuckDB makes the
frequency table `f` (value `v`, count `n`), which spills to disk beyond its memory.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np

from modelwright.engines.facts import ColumnType, Value
from modelwright.engines.profiling.binning import Fences, edges_of, fences
from modelwright.engines.profiling.exact_numbers import ExactNumbers, exact_numbers
from modelwright.engines.profiling.sorted_values import (
    MAX_FREQUENT_VALUES,
    QUANTILES,
    Outline,
    SortedValues,
)
from modelwright.engines.profiling.source import Source, SourceField

MANY_VALUES = 100_000
"""Texts with more different values are judged by a part of them, chosen by hash."""
MAX_RANGE_PER_VALUE = 1.05
"""Whole numbers in a range for each that is there, where they are still called dense."""
MICROSECONDS_A_DAY = 86_400_000_000
"""Microseconds of a day."""
FIRST_AND_LAST = (
    np.datetime64("0001-01-01", "us"),
    np.datetime64("9999-12-31T23:59:59.999999", "us"),
)
Counts = tuple[tuple[Value, int], ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Statistics of the finite numbers of a column; None where there are too few."""

    mean: float
    std: float | None
    skewness: float | None
    quantiles: tuple[float, ...]
    infinite: int
    fences: Fences | None
    beyond: int
    """How many values lie outside the fences."""
    bins: tuple[tuple[float, float, int], ...]
    """From, to (exclusive), count; over the range between the fences or the middle 98 %."""

    @property
    def median(self) -> float:
        """The middle."""
        return self.quantiles[QUANTILES.index(0.5)]

    def at(self, share: float) -> float:
        """One of `QUANTILES`.

        Args:
            share: One of the shares in `QUANTILES`.

        Returns:
            The quantile, in the unit of the column.
        """
        return self.quantiles[QUANTILES.index(share)]


@dataclass(frozen=True, slots=True)
class ColumnStats:
    """One column, counted."""

    name: str
    sql: str
    type: ColumnType
    rows: int
    present: int
    distinct: int
    minimum: Value | None
    maximum: Value | None
    top: Counts
    """The most frequent values, most frequent first, at most `MAX_FREQUENT_VALUES`."""
    lowest: Counts = ()
    highest: Counts = ()
    """The `EDGE` values at either end of numbers and dates, from the outside in."""
    numbers: Numbers | None = None
    exact: ExactNumbers | None = None
    """Where doubles do not hold its values."""
    periods: tuple[tuple[datetime, int], ...] = ()
    """Rows in each period of a date column, and which `unit` the periods are."""
    unit: str = ""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return self.rows - self.present

    @property
    def is_number(self) -> bool:
        """Whether it is an integer or a float column."""
        return self.type in {"integer", "float"}

    @property
    def is_dense(self) -> bool:
        """Whether it holds nearly every whole number between its least and its largest."""
        low, high = self.minimum, self.maximum
        if self.type != "integer" or not isinstance(low, int) or not isinstance(high, int):
            return False
        return high - low + 1 <= MAX_RANGE_PER_VALUE * self.distinct


def count(source: Source, field: SourceField) -> ColumnStats:
    """Counts a column; leaves the frequency table `f` of a text behind for more questions.

    Args:
        source: The table.
        field: The column.

    Returns:
        What is known of it.
    """
    if field.type in {"integer", "float", "date"}:
        return _counted_in_order(source, field)
    wanted = f"select {field.sql} as v, count(*) as n from t where v is not null group by 1"  # noqa: S608 - a place
    source.db.execute(f"create or replace temp table f as {wanted}")
    present, distinct, low, high = source.one(
        "select coalesce(sum(n), 0)::bigint, count(*), min(v), max(v) from f"
    )
    top = tuple(source.all(f"select v, n from f order by n desc, v limit {MAX_FREQUENT_VALUES}"))  # noqa: S608 - a constant
    return ColumnStats(
        field.name, field.sql, field.type, source.rows, present, distinct, low, high, top
    )


def share_of_values(distinct: int) -> str:
    """Gives the condition that picks the values to judge texts by: all, or some of very many.

    Args:
        distinct: How many different values the column has.

    Returns:
        An SQL condition on the frequency table `f`.
    """
    every = -(-distinct // MANY_VALUES)
    return "true" if every <= 1 else f"hash(v) % {every} = 0"


def _counted_in_order(source: Source, field: SourceField) -> ColumnStats:
    """Counts a column of numbers or dates in one pass over its sorted values."""
    ordered = SortedValues(source, field)
    of_field = (field.name, field.sql, field.type, source.rows, ordered.present + ordered.infinite)
    if not ordered.present:
        return ColumnStats(*of_field, distinct=0, minimum=None, maximum=None, top=())
    outline = ordered.outline()
    as_values = partial(_as_dates, whole=field.is_whole) if field.type == "date" else tuple
    lowest, highest = as_values(outline.lowest), as_values(outline.highest)
    column = ColumnStats(
        *of_field,
        distinct=outline.distinct,
        minimum=lowest[0][0],
        maximum=highest[0][0],
        top=as_values(outline.top),
        lowest=lowest,
        highest=highest,
    )
    if field.type == "date":
        unit, periods = _periods(source, field, outline)
        return replace(column, unit=unit, periods=periods)
    exact = exact_numbers(source, field)
    distinct = exact.distinct if exact else column.distinct
    numbers = _numbers(ordered, field, outline)
    return replace(column, numbers=numbers, exact=exact, distinct=distinct)


def _as_dates(counted: Sequence[tuple[float, int]], *, whole: bool) -> Counts:
    moments = [(_moment(value), times) for value, times in counted]
    return tuple((moment.date() if whole else moment, times) for moment, times in moments)


def _moment(microseconds: float) -> datetime:
    """Returns a point in time; those before the year 1 and after 9999 are cut off."""
    moment: datetime = np.clip(np.datetime64(int(microseconds), "us"), *FIRST_AND_LAST).item()
    return moment


def _numbers(ordered: SortedValues, field: SourceField, outline: Outline) -> Numbers:
    by_share = dict(zip(QUANTILES, outline.quantiles, strict=True))
    low, high = outline.lowest[0][0], outline.highest[0][0]
    found = fences(by_share[0.25], by_share[0.5], by_share[0.75], low)
    edges = edges_of(*_shown(by_share, float(low), float(high)), whole=field.is_whole)
    spread = ordered.spread(outline.mean, (found.low, found.high) if found else None, edges)
    bins = zip(edges[:-1].tolist(), edges[1:].tolist(), spread.bins.tolist(), strict=True)
    return Numbers(
        mean=outline.mean,
        std=math.sqrt(spread.second / (outline.present - 1)) if outline.present > 1 else None,
        skewness=_skewness(outline.present, spread.second, spread.third),
        quantiles=outline.quantiles,
        infinite=outline.infinite,
        fences=found,
        beyond=spread.beyond,
        bins=tuple(bins),
    )


def _skewness(present: int, second: float, third: float) -> float | None:
    """Returns the third standardised moment (of the population)."""
    if not second or not (math.isfinite(second) and math.isfinite(third)):
        return None
    spread = math.sqrt(second / present)
    return float(third / present / spread**3) if spread**3 else None


def _shown(quantiles: dict[float, float], low: float, high: float) -> tuple[float, float]:
    """Gives the range a histogram shows: the middle 98 % and half as much again on either side."""
    most = (quantiles[0.99] - quantiles[0.01]) / 2
    if not most:
        return low, high
    return max(low, quantiles[0.01] - most), min(high, quantiles[0.99] + most)


UNITS = (("hour", 2), ("day", 90), ("week", 730), ("month", 7300), ("year", 3_700_000))
"""Periods, and the longest range in days that is told by them."""


def _periods(
    source: Source, field: SourceField, outline: Outline
) -> tuple[str, tuple[tuple[datetime, int], ...]]:
    """Counts rows by period, within the middle 90 % where a few days lie far off, such as 1900."""
    inner = outline.quantiles[QUANTILES.index(0.05)], outline.quantiles[QUANTILES.index(0.95)]
    low, high = outline.lowest[0][0], outline.highest[0][0]
    if high - low > 3 * (inner[1] - inner[0]):
        low, high = inner
    days = (high - low) / MICROSECONDS_A_DAY
    unit = next((unit for unit, most in UNITS[field.is_whole :] if days <= most), "year")
    return unit, tuple(
        source.all(
            f"select date_trunc('{unit}', {field.sql})::timestamp as p, count(*) from t"  # noqa: S608 - ours
            f" where epoch_us({field.sql}) between $1 and $2 group by 1 order by 1",
            [math.floor(low), math.ceil(high)],
        )
    )
