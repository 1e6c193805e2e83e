"""What analyses are asked and what they answer.

Results are stored in this shape too: a member that changes here must still be read from analyses of
earlier releases.
"""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from modelwright.analysis.domain import (
    AnalysisInfo,
    AnalysisType,
    FoundAnalysis,
    MediaFormat,
    Status,
    VisualizationInfo,
    format_name,
)
from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import DescribedModel, RequestBody, ResponseBody, Text, Timestamp
from modelwright.core.limits.contract import LIMITS


class CreateAnalysis(RequestBody):
    """Starts an analysis of a complete upload."""

    upload_id: Text
    files: Annotated[list[Text], Field(max_length=LIMITS.files_per_upload)] | None = None
    """Names of the files to analyse; all by default."""
    analysis_type: Annotated[AnalysisType, Field(strict=False)] = AnalysisType.BASIC
    """`comprehensive` also measures pairs with categories and draws every column."""


class AnalysisCreated(ResponseBody):
    """An analysis that waits to start."""

    job_id: str
    status: Status
    estimated_completion: Timestamp


class StoredSection(DescribedModel):
    """A part of a stored result, passed on as it is."""

    model_config = ConfigDict(extra="allow")


class Summary(StoredSection):
    """Exact statistics of a number column; null where there is nothing to count.

    Where decimals have more digits than a double holds, their digits are a string.
    """

    min: int | float | str | None
    max: int | float | str | None
    mean: float | str | None
    median: float | str | None
    std: float | None
    skewness: float | None
    quantiles: dict[str, float | str | None]
    """By share: `0.01` to `0.99`."""


class Stats(StoredSection):
    """Exact counts of one file."""

    rows: int
    columns: int
    missing_values: dict[str, int]
    column_types: dict[str, str]
    distinct_values: dict[str, int]
    summary: dict[str, Summary]
    """Number columns."""
    date_ranges: dict[str, dict[str, str | None]]
    """Date columns: `min` and `max`."""
    categorical_counts: dict[str, dict[str, int]]
    """Text and truth columns: the most frequent values, most frequent first."""


class Correlation(StoredSection):
    """The correlation of two columns."""

    feature1: str
    feature2: str
    correlation: float
    measure: str
    """`pearson`, `cramers_v` or `correlation_ratio`."""
    rows: int
    """Rows it was measured on."""


class Insight(StoredSection):
    """A finding."""

    type: str
    message: str
    severity: str
    """`low`, `medium` or `high`."""
    columns: list[str]


class Recommendation(StoredSection):
    """A recommendation."""

    type: str
    message: str
    importance: str
    """`low`, `medium` or `high`."""


class Visualization(ResponseBody):
    """A chart of one file: a Vega-Lite document and a picture of it."""

    type: str
    title: str
    data_url: str
    thumbnail_url: str


class FileAnalysis(ResponseBody):
    """The analysis of one file."""

    filename: str
    stats: Stats
    correlations: list[Correlation]
    insights: list[Insight]
    visualizations: list[Visualization]


class AnalysisAnswer(ResponseBody):
    """An analysis; `files` is empty until it is completed."""

    job_id: str
    upload_id: str
    status: Status
    analysis_type: AnalysisType
    created_at: Timestamp
    estimated_completion: Timestamp
    completed_at: Timestamp | None
    error: str | None
    files: list[FileAnalysis]
    recommendations: list[Recommendation]

    @classmethod
    def of(cls, analysis: AnalysisInfo, found: FoundAnalysis, base_url: str) -> "AnalysisAnswer":
        """Shows an analysis with what came of it."""
        return cls.showing(
            analysis,
            analysis_type=analysis.type,
            files=[_with_addresses(file, base_url) for file in found.files],
            recommendations=found.recommendations,
        )


class VisualizationEntry(Visualization):
    """A chart in the list of all."""

    visualization_id: str
    job_id: str
    upload_id: str
    filename: str
    """The file it is about."""
    created_at: Timestamp

    @classmethod
    def of(cls, picture: VisualizationInfo, base_url: str) -> "VisualizationEntry":
        """Shows a picture's place."""
        return cls.showing(picture, **_addresses(picture.visualization_id, base_url))


class VisualizationList(ResponseBody):
    """Charts, newest first."""

    visualizations: list[VisualizationEntry]
    pagination: Pagination


def _with_addresses(file: dict[str, Any], base_url: str) -> dict[str, Any]:
    pictures = [
        {**picture, **_addresses(picture["visualization_id"], base_url)}
        for picture in file["visualizations"]
    ]
    return {**file, "visualizations": pictures}


def _addresses(visualization_id: str, base_url: str) -> dict[str, str]:
    folder = f"{base_url}/data/visualization"
    return {
        "data_url": f"{folder}/{format_name(visualization_id, MediaFormat.DATA)}",
        "thumbnail_url": f"{folder}/{format_name(visualization_id, MediaFormat.THUMBNAIL)}",
    }
