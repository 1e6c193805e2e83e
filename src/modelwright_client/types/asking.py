"""What the server answers about sessions, queries, analysis and exports."""

from typing import Any, Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

QueryType = Literal["natural_language", "sql"]


class SessionTable(TypedDict):
    """A file as the table queries can name."""

    file: str
    table: str
    columns: list[str]


class Session(TypedDict):
    """A time-limited workspace over an upload."""

    session_id: str
    name: str
    upload_id: str
    status: Literal["ready", "ended"]
    is_default: NotRequired[bool]
    created_at: str
    expires_at: str
    files: list[str]
    tables: NotRequired[list[SessionTable]]
    ended_at: NotRequired[str | None]


class SessionEnded(TypedDict):
    """A session that takes no more queries."""

    session_id: str
    status: Literal["ended"]
    ended_at: str


class SessionPage(TypedDict):
    """One page of sessions, newest first."""

    sessions: list[Session]
    pagination: Pagination


class Asked(TypedDict):
    """One entry of a session's history."""

    query_id: str
    query_type: QueryType
    query: str
    executed_at: str
    execution_time_ms: float
    error: NotRequired[str | None]


class History(TypedDict):
    """What a session was asked, newest first."""

    queries: list[Asked]
    pagination: NotRequired[Pagination]


class Series(TypedDict):
    """One series of a chart."""

    label: str
    data: list[float | None]


class ChartData(TypedDict):
    """Labels, and a number for each in every series."""

    labels: list[Any]
    datasets: list[Series]


class Choice(TypedDict):
    """One way to read a question that may be meant in several."""

    field: Literal["choice"]
    message: str
    """What it means, in words."""
    choice_id: str
    generated_sql: str
    columns: list[str]
    rows: list[list[Any]]
    """The first rows that it gives."""
    confidence: float | None


class TableResult(TypedDict):
    """An answer in rows."""

    query_id: str
    result_type: Literal["table"]
    columns: list[str]
    rows: list[list[Any]]
    row_count: int
    truncated: bool
    execution_time_ms: float
    generated_sql: str
    interpretation: NotRequired[str | None]
    verified: NotRequired[bool]
    question: NotRequired[str | None]
    confidence: NotRequired[float | None]
    read_by: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class ChartResult(TypedDict):
    """An answer as a chart."""

    query_id: str
    result_type: Literal["visualization"]
    visualization_type: str
    title: str
    data: ChartData
    execution_time_ms: float
    generated_sql: str
    interpretation: NotRequired[str | None]
    verified: NotRequired[bool]
    question: NotRequired[str | None]
    confidence: NotRequired[float | None]
    read_by: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class AnalysisStarted(TypedDict):
    """An analysis that waits for its turn."""

    job_id: str
    status: str
    estimated_completion: str | None


class Analysis(TypedDict):
    """What an analysis found; `files` is empty until it is completed."""

    job_id: str
    upload_id: str
    status: Literal["pending", "completed", "failed"]
    created_at: str
    completed_at: str | None
    files: list[dict[str, Any]]
    recommendations: list[dict[str, Any]]
    error: NotRequired[str | None]


class Visualization(TypedDict):
    """A picture of one file: a Vega-Lite document, and the same painted."""

    visualization_id: str
    job_id: str
    upload_id: str
    filename: str
    type: str
    title: str
    data_url: str
    thumbnail_url: str
    created_at: str


class VisualizationPage(TypedDict):
    """One page of pictures, newest first."""

    visualizations: list[Visualization]
    pagination: Pagination


class ExportedFile(TypedDict):
    """A file to be fetched; its address is signed and needs no key."""

    filename: str
    size_bytes: int
    download_url: str
    expires_at: str
    notice: NotRequired[str | None]


class Export(TypedDict):
    """Files made to be taken away, kept for 7 days."""

    export_id: str
    status: Literal["processing", "completed", "failed"]
    created_at: str
    completed_at: NotRequired[str | None]
    estimated_completion: NotRequired[str | None]
    files: NotRequired[list[ExportedFile]]
    error: NotRequired[str | None]
