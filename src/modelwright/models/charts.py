"""The pictures of a model card as inline SVG, drawn here; colours come from the page's style."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any

WIDTH = 360
"""Pixels of a chart."""
HEIGHT = 250
"""Pixels of a chart."""
LEFT = 52
"""Pixels left of the plot, for the labels of its axis."""
RIGHT = 12
"""Pixels right of the plot."""
TOP = 12
"""Pixels above the plot."""
BOTTOM = 40
"""Pixels below the plot, for the labels of its axis."""
TICKS = 5
"""About so many ticks does an axis have."""
MAX_BARS = 15
"""Bars of a chart, the longest ones."""
LINES = 10
"""Curves of a chart; of more classes the first are drawn."""
Point = tuple[float, float]


class Plane:
    """Axes with ticks, onto which lines and areas are drawn in the units of the data."""

    def __init__(self, across: Point, up: Point, labels: tuple[str, str]) -> None:
        self._across, self._up = _wider(across), _wider(up)
        self._parts = [self._tick(value) for value in ticks(*self._across)]
        self._parts += [self._rule(value) for value in ticks(*self._up)]
        self._parts += [
            _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, labels[0], "middle", "label"),
            _upright(13, (TOP + HEIGHT - BOTTOM) / 2, labels[1]),
        ]

    def place(self, point: Point) -> str:
        """Returns where a point of the data lies on the picture."""
        return f"{self._x(point[0]):.1f},{self._y(point[1]):.1f}"

    def line(self, points: Iterable[Point], kind: str) -> None:
        """Draws a line."""
        places = " ".join(map(self.place, points))
        self._parts.append(f'<polyline class="{kind}" points="{places}"/>')

    def area(self, points: Iterable[Point], kind: str) -> None:
        """Fills an area."""
        places = " ".join(map(self.place, points))
        self._parts.append(f'<polygon class="{kind}" points="{places}"/>')

    def dots(self, points: Iterable[Point], kind: str) -> None:
        """Draws dots."""
        for across, up in points:
            where = f'cx="{self._x(across):.1f}" cy="{self._y(up):.1f}"'
            self._parts.append(f'<circle class="{kind}" {where} r="3.5"/>')

    def svg(self, title: str) -> str:
        """Returns the picture; the title is read to those who can't see it."""
        return _svg(HEIGHT, title, self._parts)

    def _x(self, value: float) -> float:
        low, high = self._across
        return LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def _y(self, value: float) -> float:
        low, high = self._up
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    def _tick(self, value: float) -> str:
        return _text(self._x(value), HEIGHT - BOTTOM + 15, number(value), "middle")

    def _rule(self, value: float) -> str:
        up = self._y(value)
        rule = f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up:.1f}" y2="{up:.1f}"/>'
        return rule + _text(LEFT - 6, up + 3.5, number(value), "end")


def roc(curves: Sequence[Mapping[str, Any]]) -> str:
    """Draws a ROC curve for each class."""
    plane = Plane((0, 1), (0, 1), ("False positive rate", "True positive rate"))
    plane.line([(0, 0), (1, 1)], "even")
    for place, curve in enumerate(curves[:LINES]):
        plane.line([(across, up) for across, up in curve["points"]], f"curve c{place}")
    return plane.svg("ROC curve")


def calibration(bins: Sequence[Mapping[str, float]]) -> str:
    """Draws how often what was said came true, against how likely it was said to be."""
    plane = Plane((0, 1), (0, 1), ("Predicted probability", "Observed share"))
    points = [(one["said"], one["true"]) for one in bins]
    plane.line([(0, 0), (1, 1)], "even")
    plane.line(points, "curve c0")
    plane.dots(points, "dot")
    return plane.svg("Calibration")


def residuals(bins: Sequence[Mapping[str, float]]) -> str:
    """Draws how far the truth lay from the prediction: median, half and nine tenths of the rows."""
    across = [one["predicted"] for one in bins]
    ends = [one[name] for one in bins for name in ("p5", "p95")]
    plane = Plane(
        (min(across), max(across)), (min(0.0, *ends), max(0.0, *ends)), ("Predicted", "Residual")
    )
    for low, high, kind in (("p5", "p95", "wide"), ("p25", "p75", "narrow")):
        upper = [(one["predicted"], one[high]) for one in bins]
        lower = [(one["predicted"], one[low]) for one in reversed(bins)]
        plane.area([*upper, *lower], kind)
    plane.line([(min(across), 0.0), (max(across), 0.0)], "even")
    plane.line([(one["predicted"], one["median"]) for one in bins], "curve c0")
    return plane.svg("Residuals")


def bars(shares: Mapping[str, float], title: str) -> str:
    """Draws named shares as bars, the largest first, the first fifteen of many."""
    ordered = sorted(shares.items(), key=lambda one: -one[1])[:MAX_BARS]
    most = max([share for _, share in ordered], default=0.0) or 1.0
    parts = []
    for row, (name, share) in enumerate(ordered):
        up, length = row * 24 + 4, share / most * 170
        shown = name if len(name) <= 16 else name[:15] + "…"  # noqa: PLR2004 - what fits
        parts.append(_text(124, up + 12, shown, "end", "name"))
        parts.append(
            f'<rect class="bar" x="132" y="{up}" width="{max(length, 1):.1f}" height="16" rx="3"/>'
        )
        parts.append(_text(138 + length, up + 12, f"{share:.1%}", "start"))
    return _svg(24 * max(len(ordered), 1) + 4, title, parts)


def ticks(low: float, high: float) -> list[float]:
    """Returns round numbers between two ends."""
    rough = (high - low) / TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [place * step for place in range(first, last + 1)]


def number(value: float) -> str:
    """Writes a number as people read it."""
    if value == 0 or 1e-4 <= abs(value) < 1e6:  # noqa: PLR2004 - else a power of ten is read better
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"  # noqa: PLR2004
    return f"{value:.3g}"


def figure(value: float) -> str:
    """Writes a measured number, so that those of one table have as many places."""
    return f"{value:.3f}" if 0.01 <= abs(value) < 10 else number(value)  # noqa: PLR2004


def _wider(ends: Point) -> Point:
    low, high = ends
    return (low, high) if high - low > 1e-9 * max(abs(low), abs(high)) else (low - 0.5, high + 0.5)


def _text(across: float, up: float, words: str, anchor: str, kind: str = "tick") -> str:
    where = f'x="{across:.1f}" y="{up:.1f}"'
    return f'<text class="{kind}" text-anchor="{anchor}" {where}>{escape(words)}</text>'


def _upright(across: float, up: float, words: str) -> str:
    where = f"translate({across:.1f} {up:.1f}) rotate(-90)"
    return f'<text class="label" text-anchor="middle" transform="{where}">{escape(words)}</text>'


def _svg(height: int, title: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )
