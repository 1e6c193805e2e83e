"""Chooses what of a profile is worth a picture, and draws each as a bounded Vega-Lite document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from modelwright.engines.profiling import chart_specifications
from modelwright.engines.profiling.column_statistics import ColumnStats
from modelwright.engines.profiling.correlations import Pair
from modelwright.engines.profiling.source import Source
from modelwright.engines.profiling.time_periods import with_empty_periods

Json = dict[str, Any]
MAX_CHARTS = 30
"""Charts of a comprehensive profile."""
MOST_BASIC = 8
"""Charts of a basic profile."""
MOST_SERIES = 2
"""Date columns that are drawn along time; the others mostly run beside them."""
MOST_BARS = 15
"""Bars of a chart; of more values only the most frequent are shown."""
MOST_COLUMNS = 30
"""Columns of a heat map or of the map of missing values: more cannot be read."""
N_STRIPES = 60
"""Stripes of rows of the map of missing values, a few pixels each."""
MAX_VALUES_AS_BARS = 15
"""Different numbers up to which they are drawn as bars, not as a histogram."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One picture: its kind, its title, and its Vega-Lite document with the data in it."""

    type: str
    title: str
    spec: Json


def choose_charts(
    columns: Sequence[ColumnStats], pairs: Sequence[Pair], gaps: Json | None, *, whole: bool
) -> list[Chart]:
    """Draws the overview, then columns in their order, up to what a profile of its kind shows.

    Args:
        columns: All columns of the table.
        pairs: Measured pairs of them.
        gaps: What `missing_by_stripe` counted.
        whole: Whether the profile is a comprehensive one.

    Returns:
        Charts in the order in which they are shown.
    """
    charts: list[Chart] = []
    if gaps:
        title = "Missing values along the rows"
        charts.append(
            Chart("missing_values", title, chart_specifications.missing_map(title, **gaps))
        )
    numbers = _correlated(columns, pairs)
    if len(numbers) > 1:
        title = "Correlations between numbers"
        charts.append(
            Chart(
                "correlation_heatmap", title, chart_specifications.heat_map(title, numbers, pairs)
            )
        )
    dates = [one for one in columns if _varies(one)][:MOST_SERIES]
    charts += [_series(one) for one in dates]
    for column in columns:
        if len(charts) >= (MAX_CHARTS if whole else MOST_BASIC):
            break
        charts += _alone(column)
    return charts


def missing_by_stripe(source: Source, columns: Sequence[ColumnStats]) -> Json | None:
    """Counts missing values of the columns that have some, in stripes of consecutive rows.

    Args:
        source: The table.
        columns: All its columns.

    Returns:
        What `missing_map` draws, or None where nothing is missing.
    """
    holed = sorted((one for one in columns if one.missing), key=lambda one: -one.missing)
    chosen = {one.sql for one in holed[:MOST_COLUMNS]}
    shown = [one for one in columns if one.sql in chosen]
    if not shown:
        return None
    stripes = min(N_STRIPES, source.rows)
    listed = ", ".join(f"count(*) - count({one.sql})" for one in shown)
    rows = source.all(
        f"select (place * {stripes} // {source.rows})::bigint as s, min(place), count(*), {listed}"  # noqa: S608 - numbers and places
        " from t group by 1 order by 1"
    )
    return {
        "names": [f"{one.name}" for one in shown],
        "stripes": [(row[1] + 1, row[1] + row[2], row[2]) for row in rows],
        "missing": [row[3:] for row in rows],
        "left": len(holed) - len(shown),
    }


def _correlated(columns: Sequence[ColumnStats], pairs: Sequence[Pair]) -> list[str]:
    """Chooses the numbers of the strongest pairs, in the table's order."""
    chosen: dict[str, None] = {}
    for pair in (one for one in pairs if one.measure == "pearson"):
        for name in (pair.feature1, pair.feature2):
            if len(chosen) < MOST_COLUMNS:
                chosen[name] = None
    return [one.name for one in columns if one.name in chosen]


def _varies(column: ColumnStats) -> bool:
    """Tells whether some periods have more rows than others: a line that is level shows nothing."""
    if len(column.periods) < 2:  # noqa: PLR2004 - a line has two ends
        return False
    return len({rows for _, rows in with_empty_periods(column.periods, column.unit)}) > 1


def _series(column: ColumnStats) -> Chart:
    title = f"Rows by {column.unit} of {chart_specifications.shortened(column.name)}"
    return Chart("time_series", title, chart_specifications.series(title, column))


def _alone(column: ColumnStats) -> list[Chart]:
    name = chart_specifications.shortened(column.name)
    if column.distinct < 2 or _is_key(column) or _is_scattered(column):  # noqa: PLR2004 - one value is no distribution
        return []
    if column.numbers and column.numbers.bins and column.distinct > MAX_VALUES_AS_BARS:
        title = f"Distribution of {name}"
        return [Chart("histogram", title, chart_specifications.histogram(title, column))]
    if column.type == "date":
        return []
    title, most = f"Rows by {name}", MOST_BARS + 1
    if column.distinct > most:
        title, most = f"The {MOST_BARS} most frequent values of {name}", MOST_BARS
    return [Chart("bar_chart", title, chart_specifications.bars(title, column, most))]


def _is_key(column: ColumnStats) -> bool:
    if column.type not in {"string", "integer"} or column.distinct != column.present:
        return False
    is_key_type = column.type == "string" or column.numbers is None or column.is_dense
    return column.present > MAX_VALUES_AS_BARS and is_key_type


def _is_scattered(column: ColumnStats) -> bool:
    """Tells a text of which most values occur once: no few of them stand for the rest."""
    return column.type == "string" and column.distinct > max(MAX_VALUES_AS_BARS, column.present / 2)
