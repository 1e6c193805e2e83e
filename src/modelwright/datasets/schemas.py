"""Response bodies of datasets."""

from typing import Any, Literal

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import ResponseBody, Timestamp


class TablePreview(ResponseBody):
    """Some rows of a CSV, TSV, Parquet or Excel file."""

    filename: str
    total_rows: int
    returned_rows: int
    columns: list[str]
    data: list[list[str]]
    """Rows of cells as strings; a missing value is empty."""


class RecordPreview(ResponseBody):
    """Some records of a JSON file."""

    filename: str
    total_rows: int
    returned_rows: int
    data: list[dict[str, Any]]


class DatasetVersion(ResponseBody):
    """A version of a dataset."""

    version: str
    """Label such as `v1.0`."""
    upload_id: str
    created_at: Timestamp
    """When its upload was completed."""
    status: Literal["complete"] = "complete"
    file_count: int
    total_size_bytes: int


class VersionList(ResponseBody):
    """A page of a dataset's versions, newest first."""

    dataset_name: str
    versions: list[DatasetVersion]
    pagination: Pagination
