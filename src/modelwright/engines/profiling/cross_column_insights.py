"""What shows only in several columns: repeated rows, copied columns, pairs that tell each other."""

import math
from collections.abc import Iterator, Sequence

from modelwright.engines.profiling.column_statistics import ColumnStats
from modelwright.engines.profiling.correlations import Pair
from modelwright.engines.profiling.insights import MIN_ROWS, Insight, named, percent
from modelwright.engines.profiling.source import Source

NEAR_DETERMINISTIC = 0.99
"""The strength from which on one column gives the other away, almost."""
DETERMINISTIC_STRENGTH = 0.99995
"""The strength that is told as 1 with four decimals."""
MAX_PAIRS = 20
"""So many telling pairs are said; more would say the same again."""
MANY_REPEATS_SHARE = 0.1
"""The share of repeated rows from which on they matter for counts."""


def repeated_rows(source: Source, columns: Sequence[ColumnStats]) -> Iterator[Insight]:
    """Counts rows that repeat an earlier one, by 64-bit hashes of whole rows.

    Nothing is said of tables whose columns cannot make every row different, and no row can repeat
    where one column is different in every row.

    Args:
        source: The table.
        columns: Its columns.

    Yields:
        One finding, or none.
    """
    different = sum(math.log(max(1, one.distinct + bool(one.missing))) for one in columns)
    if source.rows < 2 or different < math.log(source.rows):  # noqa: PLR2004 - a row cannot repeat
        return
    if any(one.distinct == source.rows for one in columns):
        return
    listed = ", ".join(column.sql for column in columns)
    (kinds,) = source.one(f"select count(distinct hash({listed})) from r")  # noqa: S608 - places
    again = source.rows - kinds
    if again:
        message = (
            f"{again:,} of {source.rows:,} rows ({percent(again, source.rows)}) repeat an earlier"
            " row in every column."
        )
        yield Insight(
            "duplicate_rows",
            message,
            "medium" if again > MANY_REPEATS_SHARE * source.rows else "low",
        )


def duplicate_columns(source: Source, columns: Sequence[ColumnStats]) -> Iterator[Insight]:
    """Finds columns that hold the same values row by row.

    Args:
        source: The table.
        columns: Its columns.

    Yields:
        A finding for each column that repeats an earlier one.
    """
    seen: dict[tuple[object, ...], list[ColumnStats]] = {}
    for column in columns:
        if column.distinct < 2:  # noqa: PLR2004 - constants are told as such
            continue
        alike = seen.setdefault(_outline(column), [])
        for other in alike:
            if _is_same(source, column, other):
                message = f"{named(column.name)} is the same as {named(other.name)} in every row."
                yield Insight("duplicate_column", message, "medium", (column.name, other.name))
                break
        else:
            alike.append(column)


def _outline(column: ColumnStats) -> tuple[object, ...]:
    return column.type, column.present, column.distinct, column.minimum, column.maximum, column.top[0][1]  # fmt: skip  # noqa: E501


def _is_same(source: Source, column: ColumnStats, other: ColumnStats) -> bool:
    differs = f"{column.sql} is distinct from {other.sql}"
    return not source.all(f"select 1 from r where {differs} limit 1")  # noqa: S608 - places


def near_deterministic_pairs(pairs: Sequence[Pair], found: Sequence[Insight]) -> Iterator[Insight]:
    """Names pairs of which one column gives the other away, as a leaked target would.

    Of copies and of what identifies rows was told before.

    Args:
        pairs: Measured pairs, strongest first.
        found: What was found before.

    Yields:
        At most `MAX_PAIRS` findings.
    """
    told = {frozenset(one.columns) for one in found if one.type == "duplicate_column"}
    identifiers = {name for one in found if one.type == "identifier" for name in one.columns}
    strong = [
        pair
        for pair in pairs
        if abs(pair.correlation) >= NEAR_DETERMINISTIC
        and pair.rows >= MIN_ROWS
        and frozenset({pair.feature1, pair.feature2}) not in told
        and identifiers.isdisjoint({pair.feature1, pair.feature2})
    ]
    for pair in strong[:MAX_PAIRS]:
        one, other = named(pair.feature1), named(pair.feature2)
        strength = abs(pair.correlation)
        how = (
            "completely"
            if strength >= DETERMINISTIC_STRENGTH
            else f"almost completely ({strength:.4g} of 1)"
        )
        message = f"{one} tells {other} {how}: to predict one of them, leave the other one out."
        yield Insight("leakage", message, "medium", (pair.feature1, pair.feature2))
