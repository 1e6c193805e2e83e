"""Counts one column exactly: how often each value occurs, once, and everything else from that.

The frequency table `f` (value `v`, count `n`) is grouped and sorted by DuckDB, which spills to disk
beyond its memory. On numbers and dates `upto` runs along it, so that the median and every quantile
are exact (linear between neighbours, as numpy's default), whatever the size.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from modelwright.engines.facts import ColumnType, Value
from modelwright.engines.profile.ranges import Fences, fences, step_of
from modelwright.engines.profile.source import Field, Source

TOP = 1000
EDGE = 4
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
MANY_VALUES = 100_000
"""Texts with more different values are judged by a part of them, chosen by hash."""
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
        """One of `QUANTILES`."""
        return self.quantiles[QUANTILES.index(share)]


@dataclass(frozen=True, slots=True)
class Column:
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
    """The most frequent values, most frequent first, at most `TOP`."""
    lowest: Counts = ()
    highest: Counts = ()
    """The `EDGE` values at either end of numbers and dates, from the outside in."""
    numbers: Numbers | None = None
    periods: tuple[tuple[datetime, int], ...] = ()
    """Rows in each period of a date column, and which `unit` the periods are."""
    unit: str = ""
    words: float = 0.0
    """Words a value has on average, in texts."""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return self.rows - self.present

    @property
    def is_number(self) -> bool:
        """Whether it is an integer or a float column."""
        return self.type in {"integer", "float"}


def count(source: Source, field: Field) -> Column:
    """Counts a column; leaves its frequency table `f` behind for more questions."""
    ordered = field.type in {"integer", "float", "date"}
    _tabulate(source, field, ordered=ordered)
    present, distinct, low, high = source.one(
        "select coalesce(sum(n), 0)::bigint, count(*), min(v), max(v) from f"
    )
    infinite = 0
    if field.type == "float":
        (infinite,) = source.one(f"select count(*) from t where isinf({field.sql})")  # noqa: S608 - a place
    told: dict[str, Any] = {
        "name": field.name,
        "sql": field.sql,
        "type": field.type,
        "rows": source.rows,
        "present": present + infinite,
        "distinct": distinct,
        "minimum": low,
        "maximum": high,
        "top": tuple(source.all(f"select v, n from f order by n desc, v limit {TOP}")),  # noqa: S608 - a constant
    }
    if ordered and distinct:
        told["lowest"] = tuple(source.all(f"select v, n from f order by v limit {EDGE}"))  # noqa: S608 - a constant
        told["highest"] = tuple(source.all(f"select v, n from f order by v desc limit {EDGE}"))  # noqa: S608 - a constant
    if field.type == "date" and distinct:
        told["unit"], told["periods"] = _periods(source, low, high)
    elif ordered and distinct:
        told["numbers"] = _numbers(source, field, present, infinite)
    elif field.type == "string" and distinct:
        told["words"] = _words(source, distinct)
    return Column(**told)


def share_of_values(distinct: int) -> str:
    """Gives the condition that picks the values to judge texts by: all, or some of very many."""
    every = -(-distinct // MANY_VALUES)
    return "true" if every <= 1 else f"hash(v) % {every} = 0"


def _tabulate(source: Source, field: Field, *, ordered: bool) -> None:
    wanted = f"isfinite({field.sql})" if field.type == "float" else f"{field.sql} is not null"
    grouped = f"select {field.sql} as v, count(*) as n from t where {wanted} group by 1"  # noqa: S608 - a place
    running = (
        "select v, n, sum(n) over (rows between unbounded preceding and current row) as upto"  # noqa: S608 - above
        f" from ({grouped} order by 1)"
    )
    source.db.execute(f"create or replace temp table f as {running if ordered else grouped}")


def _numbers(source: Source, field: Field, present: int, infinite: int) -> Numbers:
    mean = float(source.one("select sum(v::double * n) / sum(n) from f")[0])
    second, third = source.one(
        "select sum(n * (v - $1) ** 2), sum(n * (v - $1) ** 3) from f", [mean]
    )
    quantiles = _quantiles(source, present)
    low, high = source.one("select min(v), max(v) from f")
    by_share = dict(zip(QUANTILES, quantiles, strict=True))
    found = fences(by_share[0.25], by_share[0.5], by_share[0.75], low)
    beyond = 0
    if found:
        (beyond,) = source.one(
            "select coalesce(sum(n), 0)::bigint from f where v < $1 or v > $2",
            [found.low, found.high],
        )
    return Numbers(
        mean=mean,
        std=math.sqrt(second / (present - 1)) if present > 1 else None,
        skewness=_skewness(present, second, third),
        quantiles=quantiles,
        infinite=infinite,
        fences=found,
        beyond=beyond,
        bins=_bins(source, field, _shown(by_share, float(low), float(high))),
    )


def _skewness(present: int, second: float, third: float) -> float | None:
    """Gives the third standardised moment (of the population)."""
    if not second or not (math.isfinite(second) and math.isfinite(third)):
        return None
    spread = math.sqrt(second / present)
    return float(third / present / spread**3) if spread**3 else None


def _quantiles(source: Source, present: int) -> tuple[float, ...]:
    places = [share * (present - 1) for share in QUANTILES]
    ranks = [rank for place in places for rank in (math.floor(place), math.ceil(place))]
    asked = ", ".join(f"min(v) filter (where upto > {rank})" for rank in ranks)
    found = [float(value) for value in source.one(f"select {asked} from f")]  # noqa: S608 - whole numbers
    pairs = zip(found[::2], found[1::2], strict=True)
    shares = [place - math.floor(place) for place in places]
    return tuple(
        low * (1 - share) + high * share if high != low else low
        for share, (low, high) in zip(shares, pairs, strict=True)
    )


def _shown(quantiles: dict[float, float], low: float, high: float) -> tuple[float, float]:
    """Gives the range a histogram shows: the middle 98 % and half as much again on either side."""
    most = (quantiles[0.99] - quantiles[0.01]) / 2
    if not most:
        return low, high
    return max(low, quantiles[0.01] - most), min(high, quantiles[0.99] + most)


def _bins(
    source: Source, field: Field, shown: tuple[float, float]
) -> tuple[tuple[float, float, int], ...]:
    step = step_of(*shown, whole=field.is_whole)
    if not (step and math.isfinite(step)):
        return ()
    counted = source.all(
        "select floor(v / $1) as bin, sum(n)::bigint from f where v >= $2 and v <= $3 group by 1",
        [step, *shown],
    )
    by_bin = {int(bin_): number for bin_, number in counted}
    first, last = min(by_bin), max(by_bin)
    return tuple(
        (place * step, (place + 1) * step, by_bin.get(place, 0)) for place in range(first, last + 1)
    )


UNITS = (("hour", 2), ("day", 90), ("week", 730), ("month", 7300), ("year", 3_700_000))
"""Periods, and the longest range in days that is told by them."""


def _periods(source: Source, low: Any, high: Any) -> tuple[str, tuple[tuple[datetime, int], ...]]:
    """Counts rows by period, within the middle 90 % where a few days lie far off, such as 1900."""
    total = source.one("select sum(n) from f")[0]
    inner = source.one(
        "select min(v) filter (where upto > $1), min(v) filter (where upto >= $2) from f",
        [int(total * 0.05), math.ceil(total * 0.95)],
    )
    if high - low > 3 * (inner[1] - inner[0]):
        low, high = inner
    days = (high - low).total_seconds() / 86400
    units = UNITS if isinstance(low, datetime) else UNITS[1:]
    unit = next((unit for unit, most in units if days <= most), "year")
    return unit, tuple(
        source.all(
            f"select date_trunc('{unit}', v)::timestamp as p, sum(n)::bigint from f"  # noqa: S608 - one of ours
            " where v >= $1 and v <= $2 group by 1 order by 1",
            [low, high],
        )
    )


def _words(source: Source, distinct: int) -> float:
    (words,) = source.one(
        "select sum(n * len(string_split_regex(trim(v), '\\s+'))) / sum(n) from f"  # noqa: S608 - a condition of ours
        f" where {share_of_values(distinct)}"
    )
    return float(words or 0)
