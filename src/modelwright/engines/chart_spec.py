"""A chart of a result, as readers of questions ask for it and as answers are drawn by it."""

from dataclasses import dataclass
from enum import StrEnum


class ChartType(StrEnum):
    """The charts there are."""

    BAR = "bar_chart"
    LINE = "line_chart"
    PIE = "pie_chart"
    SCATTER = "scatter_plot"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class ChartSpec:
    """A chart of a result: which of its columns are drawn, and how."""

    type: ChartType
    label: str
    """The column along the chart."""
    values: tuple[str, ...]
    """The columns of its numbers."""
    title: str
    width: float | None = None
    """How wide the ranges of a histogram are."""
