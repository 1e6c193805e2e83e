"""Statistics of numbers that doubles do not hold: least, largest, mean and quantiles, exactly."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil, floor

from modelwright.engines.profiling.sorted_values import QUANTILES
from modelwright.engines.profiling.source import Source, SourceField

SHORT_DIGITS = 15
"""Decimals of at most so many digits are told apart by doubles."""
HALF = 10**19
"""Numbers of 38 digits are added up in two halves, whose sums do not overflow."""
MORE_DIGITS = 2
"""Digits behind those of the column that are told of a mean or a quantile between two values."""
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_EXACT = Context(prec=80)
"""Digits enough that a quotient of sums of 38 digits is rounded once, at the end."""

Told = float | str


@dataclass(frozen=True, slots=True)
class ExactNumbers:
    """Numbers where a double holds them to the column's last digit, else their digits."""

    distinct: int
    minimum: Told
    maximum: Told
    mean: Told
    quantiles: tuple[Told, ...]
    """At `QUANTILES`, linear between neighbours."""


def exact_numbers(source: Source, field: SourceField) -> ExactNumbers | None:
    """Tells the statistics of a column of decimals of which doubles do not hold all.

    Args:
        source: The table.
        field: The column.

    Returns:
        What is exactly known of it; None where doubles tell all there is.
    """
    declared = _DECIMAL.fullmatch(field.kind)
    if declared is None or int(declared[1]) <= SHORT_DIGITS or _doubles_hold(source, field):
        return None
    scale = int(declared[2])
    low, high, present, upper, lower = source.one(_of_all(field.sql))
    places = [Fraction(str(share)) * (present - 1) for share in QUANTILES]
    ranks = [rank for place in places for rank in (floor(place), ceil(place))]
    distinct, *found = source.one(_at_ranks(field.sql, ranks))
    between = [
        first + (second - first) * (place - floor(place))
        for place, first, second in zip(
            places, map(Fraction, found[::2]), map(Fraction, found[1::2]), strict=True
        )
    ]
    mean = Fraction(upper * HALF + lower, present * 10**scale)
    return ExactNumbers(
        distinct,
        _told(Fraction(low), scale),
        _told(Fraction(high), scale),
        _told(mean, scale),
        tuple(_told(one, scale) for one in between),
    )


def _doubles_hold(source: Source, field: SourceField) -> bool:
    """Returns whether a double keeps each value to its last digit."""
    again = f"try_cast(cast(cast({field.sql} as double) as varchar) as {field.kind})"
    (other,) = source.one(
        f"select count(*) from r where {again} is distinct from {field.sql}"  # noqa: S608 - a place
    )
    return not other


def _of_all(column: str) -> str:
    """Writes what tells the ends, how many values there are, and their sum in two halves."""
    digits = f"cast(replace(cast({column} as varchar), '.', '') as hugeint)"
    return (
        f"select min({column}), max({column}), count({column}),"  # noqa: S608 - a place
        f" sum({digits} // {HALF}), sum({digits} % {HALF}) from r"
    )


def _at_ranks(column: str, ranks: Sequence[int]) -> str:
    """Writes what tells how many values differ, and those at some ranks, counted from 0."""
    listed = ", ".join(f"min(v) filter (where upto > {rank})" for rank in ranks)
    return (
        f"select count(*), {listed} from (select v, sum(n) over (order by v) as upto from"  # noqa: S608 - places
        f" (select {column} as v, count(*) as n from r where {column} is not null group by 1))"
    )


def _told(value: Fraction, scale: int) -> Told:
    exact = _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    short = exact.quantize(Decimal(1).scaleb(-scale), context=_EXACT)
    if Decimal(repr(float(short))) == short:
        return float(value)
    digits = f"{exact.quantize(Decimal(1).scaleb(-scale - MORE_DIGITS), context=_EXACT):f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
