"""Draws a result as a chart's labels and numbers: ordered, bounded, without holes.

Browsers and pages in JSON cannot draw a million points or a gap: what a chart leaves out is decided
here and told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from modelwright.core.http.schemas import Json
from modelwright.engines.chart_spec import ChartSpec, ChartType

MOST_POINTS = 1_000
"""Rows that a chart is drawn from, where nobody asked for more or less."""
MOST_BARS = 50
"""Bars of a chart; the rest is summed up or left out."""
MOST_SLICES = 8
"""Slices of a pie; the smallest are put together."""
MOST_SERIES = 12
"""Lines of a chart."""
MOST_BINS = 200
"""Points along an axis."""
MISSING = "(missing)"
OTHER = "Other"
MIDNIGHT = "T00:00:00"


@dataclass(frozen=True, slots=True)
class ResultChart:
    """A chart, ready to be drawn."""

    picture: ChartSpec
    labels: list[Any]
    datasets: list[Json]
    is_cut: bool
    """Whether some of the result did not fit in."""

    def as_json(self) -> Json:
        """Tells it in the contract's members."""
        return {
            "visualization_type": self.picture.type.value,
            "title": self.picture.title,
            "data": {"labels": self.labels, "datasets": self.datasets},
        }


def draw(
    picture: ChartSpec, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> ResultChart | None:
    """Draws a picture of a result; None where the result has nothing to draw."""
    if picture.label not in columns or any(value not in columns for value in picture.values):
        return None
    at = columns.index(picture.label)
    places = [columns.index(value) for value in picture.values]
    series_at = [place for place in range(len(columns)) if place != at and place not in places]
    kept = _drawable(picture.type, rows, at, places)
    if not kept:
        return None
    if series_at and len(places) == 1 and picture.type is not ChartType.SCATTER:
        chart = _spread(picture, kept, at, series_at, places[0])
    else:
        datasets = [
            {"label": name, "data": [_number(row[place]) for row in kept]}
            for name, place in zip(picture.values, places, strict=True)
        ]
        chart = ResultChart(picture, [row[at] for row in kept], datasets, is_cut=False)
    return _bounded(chart)


def _drawable(
    kind: ChartType, rows: Sequence[Sequence[Any]], at: int, places: Sequence[int]
) -> list[Sequence[Any]]:
    """Returns the rows that have a number and, where the label is an axis of numbers, a label."""
    needs_label = kind in {ChartType.LINE, ChartType.HISTOGRAM, ChartType.SCATTER}
    return [
        row
        for row in rows
        if any(_is_number(row[place]) for place in places) and not (needs_label and row[at] is None)
    ]


def _spread(
    picture: ChartSpec, rows: Sequence[Sequence[Any]], at: int, series_at: list[int], value_at: int
) -> ResultChart:
    """Makes a series of each value of the columns that are neither label nor number."""
    cells: dict[str, dict[Any, float | int | None]] = {}
    for row in rows:
        name = ", ".join(str(_label(row[place])) for place in series_at)
        cells.setdefault(name, {})[row[at]] = _number(row[value_at])
    labels = list(dict.fromkeys(row[at] for row in rows))
    weight = {name: sum(abs(n or 0) for n in line.values()) for name, line in cells.items()}
    shown = sorted(cells, key=lambda name: -weight[name])[:MOST_SERIES]
    datasets = [
        {"label": name, "data": [cells[name].get(label) for label in labels]}
        for name in cells
        if name in shown
    ]
    if picture.type is ChartType.PIE:
        picture = replace(picture, type=ChartType.BAR)
    return ResultChart(picture, labels, datasets, is_cut=len(shown) < len(cells))


def _bounded(chart: ResultChart) -> ResultChart:
    kind = chart.picture.type
    if kind is ChartType.SCATTER:
        return chart if all(_is_number(label) for label in chart.labels) else _as(chart, "BAR")
    if kind is ChartType.HISTOGRAM:
        return _histogram(chart)
    if kind is ChartType.LINE:
        chart = _rising(chart)
    if kind is ChartType.PIE:
        return _pie(chart)
    chart = replace(chart, labels=_labels(chart.labels))
    return _cut(chart, MOST_BARS) if kind is ChartType.BAR else chart


def _as(chart: ResultChart, kind: str) -> ResultChart:
    return _bounded(replace(chart, picture=replace(chart.picture, type=ChartType[kind])))


def _rising(chart: ResultChart) -> ResultChart:
    """Orders a line by what runs along it."""
    kinds = {type(label) for label in chart.labels}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return chart
    order = sorted(range(len(chart.labels)), key=lambda place: chart.labels[place])
    if not all(isinstance(label, int | float) or label[:1].isdigit() for label in chart.labels):
        return chart
    return _picked(chart, order)


def _picked(chart: ResultChart, order: Sequence[int]) -> ResultChart:
    datasets = [{**one, "data": [one["data"][place] for place in order]} for one in chart.datasets]
    return replace(chart, labels=[chart.labels[place] for place in order], datasets=datasets)


def _cut(chart: ResultChart, most: int) -> ResultChart:
    if len(chart.labels) <= most:
        return chart
    return replace(_picked(chart, range(most)), is_cut=True)


def _pie(chart: ResultChart) -> ResultChart:
    data = chart.datasets[0]["data"]
    if len(chart.datasets) > 1 or any(number is not None and number < 0 for number in data):
        return _as(chart, "BAR")
    order = sorted(range(len(data)), key=lambda place: -(data[place] or 0))
    chart = _picked(replace(chart, labels=_labels(chart.labels)), order)
    if len(data) <= MOST_SLICES:
        return chart
    shown = _picked(chart, range(MOST_SLICES - 1))
    rest = sum(number or 0 for number in chart.datasets[0]["data"][MOST_SLICES - 1 :])
    shown.labels.append(OTHER)
    shown.datasets[0]["data"].append(rest)
    return shown


def _histogram(chart: ResultChart) -> ResultChart:
    """Names each range, and puts a 0 where a range between others is empty."""
    width = chart.picture.width
    if width is None or not all(_is_number(label) for label in chart.labels):
        return _cut(_rising(chart), MOST_BINS)
    bins = {round(float(label) / width): place for place, label in enumerate(chart.labels)}
    first, last = min(bins), max(bins)
    span = range(first, last + 1) if last - first < MOST_BINS else sorted(bins)
    datasets = [
        {**one, "data": [one["data"][bins[at]] if at in bins else 0 for at in span]}
        for one in chart.datasets
    ]
    labels = [f"{at * width:g} to {(at + 1) * width:g}" for at in span]
    return _cut(replace(chart, labels=labels, datasets=datasets), MOST_BINS)


def _labels(labels: Sequence[Any]) -> list[Any]:
    """Shows what is missing, and days without their midnight."""
    midnight = all(
        isinstance(label, str) and label.endswith(MIDNIGHT) for label in labels if label is not None
    )
    return [
        label.removesuffix(MIDNIGHT) if midnight and label is not None else _label(label)
        for label in labels
    ]


def _label(value: Any) -> Any:
    if value is None:
        return MISSING
    return value if isinstance(value, str | int | float) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _number(value: Any) -> float | int | None:
    if not _is_number(value):
        return None
    return float(value) if isinstance(value, Decimal) else value
