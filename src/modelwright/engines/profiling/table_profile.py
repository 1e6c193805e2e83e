"""Profiles one table: statistics, correlations, insights and pictures, in the contract's words.

`basic` looks at columns one by one: statistics, insights, correlations of numbers, an overview in
pictures. `comprehensive` also looks at all pairs (categories too), and draws every column worth it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from modelwright.engines.facts import UTC, notices_of
from modelwright.engines.profiling.charts import Chart, choose_charts, missing_by_stripe
from modelwright.engines.profiling.column_statistics import ColumnStats, count
from modelwright.engines.profiling.correlations import Pair, measure_pairs
from modelwright.engines.profiling.cross_column_insights import (
    duplicate_columns,
    near_deterministic_pairs,
    repeated_rows,
)
from modelwright.engines.profiling.insights import Insight, insights
from modelwright.engines.profiling.recommendations import merge_similar
from modelwright.engines.profiling.sorted_values import MEDIAN, QUANTILES
from modelwright.engines.profiling.source import ProfileLimits, Source
from modelwright.engines.profiling.text_formats import text_formats
from modelwright_runtime.geo_features import named_places

Thoroughness = Literal["basic", "comprehensive"]
Json = dict[str, Any]
KEPT_TOP = 50
"""The most frequent values that a profile tells of a column."""
MOST_COUNTS = 20_000
"""Counted values that one profile tells at most, over all columns."""
LONGEST_VALUE = 200
"""Characters of a value that a profile tells."""
MOST_INSIGHTS = 1000
"""Findings that a profile tells; nobody reads more."""
COUNTING_SHARE = 0.8
"""The share of the work that counting the columns is."""
_WEIGHT = {"high": 0, "medium": 1, "low": 2}


@dataclass(frozen=True, slots=True)
class TableProfile:
    """What is in one table."""

    stats: Json
    correlations: tuple[Pair, ...]
    insights: tuple[Insight, ...]
    charts: tuple[Chart, ...]


def profile(
    path: Path,
    thoroughness: Thoroughness,
    *,
    scratch: Path,
    bounds: ProfileLimits | None = None,
    progress: Callable[[float], None] = lambda _: None,
    time_zone: str = UTC,
) -> TableProfile:
    """Profiles a Parquet file of whole rows.

    Args:
        path: the file.
        thoroughness: `basic` or `comprehensive`.
        scratch: an existing folder for what does not fit into memory.
        bounds: the memory and threads to use.
        progress: told the share of the work that is done, 0 to 1, never falling.
        time_zone: decides the days and months of moments.

    Returns:
        Statistics, pairs, findings and charts.

    Raises:
        duckdb.Error: the file is not readable, or memory and scratch together do not suffice.
    """
    is_whole = thoroughness == "comprehensive"
    with Source(path, scratch, bounds or ProfileLimits(), time_zone) as source:
        columns, found = _columns(source, progress)
        found += repeated_rows(source, columns)
        found += [Insight("rows_left_out", said, "medium") for said in notices_of([path])]
        found += duplicate_columns(source, columns)
        correlations = measure_pairs(source, columns, of_categories=is_whole)
        found += near_deterministic_pairs(correlations, found)
        progress(0.95)
        charts = choose_charts(
            columns, correlations, missing_by_stripe(source, columns), whole=is_whole
        )
    found = merge_similar(_without_tails_of_places(found, columns))
    found.sort(key=lambda one: _WEIGHT[one.severity])
    return TableProfile(
        _stats(source.rows, columns),
        tuple(correlations),
        tuple(found[:MOST_INSIGHTS]),
        tuple(charts),
    )


def _columns(
    source: Source, progress: Callable[[float], None]
) -> tuple[list[ColumnStats], list[Insight]]:
    columns: list[ColumnStats] = []
    found: list[Insight] = []
    for field in source.fields:
        column = count(source, field)
        is_text = column.type == "string" and column.present
        found += insights(column, text_formats(source, column) if is_text else None)
        columns.append(replace(column, top=column.top[: _kept(source)]))
        progress(COUNTING_SHARE * len(columns) / len(source.fields))
    return columns, found


def _without_tails_of_places(
    found: Sequence[Insight], columns: Sequence[ColumnStats]
) -> list[Insight]:
    """Drops what is said of the distribution of degrees, which are no amounts."""
    named = named_places([column.name for column in columns if column.is_number])
    degrees = {name for pair in named for name in pair}
    return [one for one in found if one.type != "skew" or one.columns[0] not in degrees]


def _kept(source: Source) -> int:
    return max(5, min(KEPT_TOP, MOST_COUNTS // len(source.fields)))


def _stats(rows: int, columns: Sequence[ColumnStats]) -> Json:
    return {
        "rows": rows,
        "columns": len(columns),
        "missing_values": {one.name: one.missing for one in columns},
        "column_types": {one.name: one.type for one in columns},
        "distinct_values": {one.name: one.distinct for one in columns},
        "summary": {one.name: _summary(one) for one in columns if one.is_number},
        "date_ranges": {
            one.name: {"min": _iso(one.minimum), "max": _iso(one.maximum)}
            for one in columns
            if one.type == "date"
        },
        "categorical_counts": {
            one.name: _counts(one) for one in columns if one.type in {"string", "boolean"}
        },
    }


def _summary(column: ColumnStats) -> Json:
    told, exact = column.numbers, column.exact
    ends = (exact.minimum, exact.maximum) if exact else (column.minimum, column.maximum)
    quantiles = dict(zip(QUANTILES, (exact or told).quantiles, strict=True)) if told else {}
    return {
        "min": ends[0],
        "max": ends[1],
        "mean": _finite((exact or told).mean) if told else None,
        "median": _finite(quantiles.get(MEDIAN)),
        "std": _finite(told.std) if told else None,
        "skewness": _finite(told.skewness) if told else None,
        "quantiles": {f"{share:g}": _finite(value) for share, value in quantiles.items()},
    }


def _counts(column: ColumnStats) -> dict[str, int]:
    counted: dict[str, int] = {}
    for value, number in column.top:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        text = text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
        counted[text] = counted.get(text, 0) + number
    return counted


def _finite(value: float | str | None) -> float | str | None:
    """Leaves out what is no number; digits that no double holds are one."""
    return value if isinstance(value, str) or (value is not None and math.isfinite(value)) else None


def _iso(value: Any) -> str | None:
    return value.isoformat() if isinstance(value, date) else None
