"""Vega-Lite documents: plain dicts, the data inside; names and values are data, never code.

A column's name only ever stands in titles and in values, so that no name is read as an expression
or as a path into the data; fields have fixed names.
"""

from collections.abc import Sequence
from datetime import UTC
from typing import Any

from modelwright.engines.profiling.column_statistics import ColumnStats, Counts, Numbers
from modelwright.engines.profiling.correlations import Pair
from modelwright.engines.profiling.insights import counted, number, outside, percent
from modelwright.engines.profiling.time_periods import with_empty_periods

Json = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
WIDTH_PIXELS = 420
"""Pixels of a chart without its labels."""
HEIGHT_PIXELS = 260
"""Pixels of a chart without its labels."""
BLUE = "#3b6ea5"
MAX_LABEL_CHARACTERS = 28
"""Characters of a name or value; longer ones are cut."""
FEW_POINTS = 40
"""Points of a line up to which each is marked."""
ROOM_FOR_TEXT = 34
"""Pixels of a square from which on its number is written into it."""
NO_XML = dict.fromkeys((*range(0x20), 0xFFFE, 0xFFFF), "\ufffd")
"""Characters that end the process that renders them."""
DIVERGING: Json = {"domain": [-1, 0, 1], "range": ["#b3402e", "#f5f5f4", "#2f5f98"],
                   "interpolate": "lab"}  # fmt: skip
_SQUARES: Json = {
    "mark": "rect",
    "encoding": {
        "color": {"field": "r", "type": "quantitative", "title": "r", "scale": DIVERGING},
        "tooltip": [
            {"field": "one", "type": "nominal", "title": "Column"},
            {"field": "other", "type": "nominal", "title": "With"},
            {"field": "r", "type": "quantitative", "title": "r", "format": ".3f"},
        ],
    },
}
_FIGURES: Json = {
    "mark": {"type": "text", "fontSize": 10},
    "encoding": {
        "text": {"field": "shown", "type": "nominal"},
        "color": {"condition": {"test": "abs(datum.r) > 0.6", "value": "white"},
                  "value": "#374151"},
    },
}  # fmt: skip
_DATES = {"hour": "%d %b %H:%M", "day": "%d %b", "week": "%d %b %Y", "month": "%b %Y", "year": "%Y"}
LABEL_PIXELS = 220
"""Pixels of a label; longer ones are cut by Vega."""
CONFIG: Json = {
    "background": "white",
    "padding": 12,
    "font": "sans-serif",
    "title": {"anchor": "start", "fontSize": 14, "fontWeight": 600, "offset": 12,
              "subtitleColor": "#6b7280", "subtitleFontSize": 11, "subtitlePadding": 4},
    "axis": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": 500, "titlePadding": 8,
             "labelColor": "#374151", "titleColor": "#374151", "gridColor": "#e5e7eb",
             "domainColor": "#9ca3af", "tickColor": "#9ca3af", "labelLimit": LABEL_PIXELS},
    "legend": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": 500},
    "view": {"stroke": None},
}  # fmt: skip


def shortened(text: object, longest: int = MAX_LABEL_CHARACTERS) -> str:
    """Makes one short line of a name or a value, of characters that can be rendered.

    Args:
        text: A name or a value.
        longest: Characters at most.

    Returns:
        The line, cut with an ellipsis.
    """
    line = " ".join(str(text).split()).translate(NO_XML)
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _document(title: str, subtitle: str, values: list[Json], rest: Json) -> Json:
    """Puts a document together; `text` would be split or read where it is not plain."""
    heading: Json = {"text": [title]}
    if subtitle:
        heading["subtitle"] = [subtitle]
    return {
        "$schema": SCHEMA,
        "title": heading,
        "width": WIDTH_PIXELS,
        "height": HEIGHT_PIXELS,
        "data": {"values": values},
        **rest,
        "config": CONFIG,
    }


def histogram(title: str, column: ColumnStats) -> Json:
    """Draws a number column's bins.

    Args:
        title: The title of the chart.
        column: A number column with bins.

    Returns:
        A Vega-Lite document.
    """
    numbers = column.numbers
    assert numbers is not None  # noqa: S101 - only numbers have histograms
    step = numbers.bins[0][1] - numbers.bins[0][0]
    shift = 0.5 if step == 1 and column.type == "integer" else 0.0
    values = [
        {"from": low - shift, "to": high - shift, "rows": rows} for low, high, rows in numbers.bins
    ]
    most = max(abs(numbers.bins[0][0]), abs(numbers.bins[-1][1]))
    axis = {"grid": False, "labelOverlap": True, "labelSeparation": 6, "labelFlush": True}
    encoding = {
        "x": {"field": "from", "type": "quantitative", "title": shortened(column.name, 60),
              "scale": {"zero": False, "nice": False}, "axis": {**axis, **_format(most)},
              "bin": {"binned": True}},
        "x2": {"field": "to"},
        "y": {"field": "rows", "type": "quantitative", "title": "Rows", "axis": {"tickMinStep": 1}},
        "tooltip": [
            {"field": "from", "type": "quantitative", "title": "From"},
            {"field": "to", "type": "quantitative", "title": "To"},
            {"field": "rows", "type": "quantitative", "title": "Rows", "format": ","},
        ],
    }  # fmt: skip
    mark = {"type": "bar", "color": BLUE}
    return _document(title, _of(column, numbers), values, {"mark": mark, "encoding": encoding})


def _of(column: ColumnStats, numbers: Numbers) -> str:
    shown = sum(rows for *_, rows in numbers.bins)
    left = column.present - shown
    parts = [f"Median {number(numbers.median)}, mean {number(numbers.mean)}"]
    if left:
        parts.append(outside(left, "value"))
    if column.missing:
        parts.append(f"{column.missing:,} missing")
    return "; ".join(parts)


def bars(title: str, column: ColumnStats, most: int) -> Json:
    """Draws the most frequent values; numbers in their order, others by frequency.

    Args:
        title: The title of the chart.
        column: A column with its most frequent values.
        most: Bars at most.

    Returns:
        A Vega-Lite document.
    """
    shown = column.top[:most]
    if column.is_number:
        shown = tuple(sorted(shown))
    values: list[Json] = [{"value": _label(value), "rows": rows} for value, rows in shown]
    rest = column.present - sum(rows for _, rows in shown)
    others = counted(column.distinct - len(shown), "other value")
    have = "has" if rest == 1 else "have"
    parts = [f"{counted(rest, 'row')} {have} one of {others}"] * bool(rest)
    parts += [f"{column.missing:,} missing"] * bool(column.missing)
    encoding = {
        "y": {"field": "value", "type": "nominal", "title": None, "sort": None,
              "axis": {"ticks": False, "domain": False, "labelPadding": 6}},
        "x": {"field": "rows", "type": "quantitative", "title": "Rows",
              "axis": _counting(shown)},
        "tooltip": [{"field": "value", "type": "nominal", "title": "Value"},
                    {"field": "rows", "type": "quantitative", "title": "Rows", "format": ","}],
    }  # fmt: skip
    mark = {"type": "bar", "color": BLUE, "height": {"band": 0.75}}
    rest_of = {"height": {"step": 20}, "mark": mark, "encoding": encoding}
    return _document(title, "; ".join(parts), values, rest_of)


def series(title: str, column: ColumnStats) -> Json:
    """Draws how many rows there are in each period, those without any included.

    Args:
        title: The title of the chart.
        column: A date column with its periods.

    Returns:
        A Vega-Lite document.
    """
    values = [
        {"at": int(at.replace(tzinfo=UTC).timestamp() * 1000), "rows": rows}
        for at, rows in with_empty_periods(column.periods, column.unit)
    ]
    left = column.present - sum(rows for _, rows in column.periods)
    subtitle = outside(left, "row") if left else ""
    encoding = {
        "x": {"field": "at", "type": "temporal", "title": shortened(column.name, 60),
              "scale": {"type": "utc"},
              "axis": {"grid": False, "labelOverlap": True, "format": _DATES[column.unit]}},
        "y": {"field": "rows", "type": "quantitative", "title": f"Rows a {column.unit}",
              "scale": {"zero": True}, "axis": {"tickMinStep": 1}},
        "tooltip": [
            {"field": "at", "type": "temporal", "scale": {"type": "utc"}, "title": column.unit,
             "format": "%Y-%m-%d %H:%M" if column.unit == "hour" else "%Y-%m-%d"},
            {"field": "rows", "type": "quantitative", "title": "Rows", "format": ","},
        ],
    }  # fmt: skip
    mark = {"type": "line", "color": BLUE, "point": len(values) <= FEW_POINTS}
    return _document(title, subtitle, values, {"mark": mark, "encoding": encoding})


def heat_map(title: str, names: Sequence[str], pairs: Sequence[Pair]) -> Json:
    """Draws how number columns go together, with the numbers where there is room for them.

    Args:
        title: The title of the chart.
        names: The columns, in the order of the axes.
        pairs: Measured pairs; those that are no correlation of numbers are passed over.

    Returns:
        A Vega-Lite document.
    """
    measured = {
        (pair.feature1, pair.feature2): pair.correlation
        for pair in pairs
        if pair.measure == "pearson"
    }
    labels = _unlike(names)
    values = [
        {"one": labels[one], "other": labels[other], "r": value, "shown": _two_digits(value)}
        for one in names
        for other in names
        if (value := _of_pair(measured, one, other)) is not None
    ]
    size = max(22, min(48, 480 // len(names)))
    shared = {
        "x": {"field": "one", "type": "nominal", "title": None, "sort": None,
              "axis": {"labelAngle": -45, "ticks": False, "domain": False}},
        "y": {"field": "other", "type": "nominal", "title": None, "sort": None,
              "axis": {"ticks": False, "domain": False}},
    }  # fmt: skip
    rest = {
        "width": {"step": size},
        "height": {"step": size},
        "encoding": shared,
        "layer": [_SQUARES, _FIGURES] if size >= ROOM_FOR_TEXT else [_SQUARES],
    }
    return _document(title, "", values, rest)


def _two_digits(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # never -0.00


def _of_pair(measured: dict[tuple[str, str], float], one: str, other: str) -> float | None:
    if one == other:
        return 1.0
    return measured.get((one, other), measured.get((other, one)))


def missing_map(
    title: str,
    names: Sequence[str],
    stripes: Sequence[tuple[int, int, int]],
    missing: Sequence[Sequence[int]],
    left: int,
) -> Json:
    """Draws which share of each column is missing in stripes of consecutive rows.

    Args:
        title: The title of the chart.
        names: The columns, in the order of the axis.
        stripes: Of each stripe its first row, its last row, counted from 1, and how many it has.
        missing: Of each stripe how many values each column lacks, shape (stripes, names).
        left: Columns with missing values that are not shown.

    Returns:
        A Vega-Lite document.
    """
    rows = sum(held for *_, held in stripes)
    parts = [sum(counts) for counts in zip(*missing, strict=True)]
    labels = {
        name: f"{label} ({percent(part, rows)})"
        for (name, label), part in zip(_unlike(names).items(), parts, strict=True)
    }
    values = [
        {"first": first, "after": last + 1, "column": labels[name], "share": gone / held}
        for (first, last, held), counts in zip(stripes, missing, strict=True)
        for name, gone in zip(names, counts, strict=True)
    ]
    encoding = {
        "x": {"field": "first", "type": "quantitative", "title": "Row",
              "bin": {"binned": True}, "scale": {"zero": False, "nice": False},
              "axis": {"grid": False, "format": ",d", "tickCount": 6, "labelFlush": True}},
        "x2": {"field": "after"},
        "y": {"field": "column", "type": "nominal", "title": None, "sort": None,
              "axis": {"ticks": False, "domain": False, "labelPadding": 6}},
        "color": {"field": "share", "type": "quantitative", "title": "Missing",
                  "scale": {"type": "sqrt", "domain": [0, 1], "range": ["#eef1f4", "#b3402e"],
                            "interpolate": "lab"},
                  "legend": {"format": ".0%", "gradientLength": 90, "tickCount": 3}},
        "tooltip": [
            {"field": "column", "type": "nominal", "title": "Column"},
            {"field": "first", "type": "quantitative", "title": "From row", "format": ","},
            {"field": "share", "type": "quantitative", "title": "Missing", "format": ".1%"},
        ],
    }  # fmt: skip
    subtitle = f"{left:,} more columns with missing values are not shown" if left else ""
    mark = {"type": "rect", "stroke": None}
    size = {"height": {"step": 24}}
    return _document(title, subtitle, values, {**size, "mark": mark, "encoding": encoding})


def _unlike(names: Sequence[str]) -> dict[str, str]:
    """Shortens names so that no two become one."""
    taken: set[str] = set()
    labels = {}
    for place, name in enumerate(names, start=1):
        label = shortened(name)
        label = f"{place}: {label}" if label in taken or not label else label
        taken.add(label)
        labels[name] = label
    return labels


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return number(value)
    text = shortened(value, 200)
    return text if text.strip() else repr(str(value)[:20])


def _counting(shown: Counts) -> Json:
    """Returns an axis of whole rows, none of them said twice."""
    most = max(rows for _, rows in shown)
    return {"tickCount": min(5, most), "format": "~s" if most >= 1_000_000 else ",d"}  # noqa: PLR2004 - seven digits crowd an axis


def _format(most: float) -> Json:
    """Returns the number format of an axis that goes so far; none where plain numbers are short."""
    if most >= 1_000_000:  # noqa: PLR2004 - seven digits crowd an axis
        return {"format": "~s" if most < 1e15 else "~e"}  # noqa: PLR2004 - no prefix is known beyond
    return {"format": ".2~e"} if most < 0.001 else {}  # noqa: PLR2004 - four zeros crowd it as well
