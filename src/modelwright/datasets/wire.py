"""Response bodies of datasets."""

from typing import Any, Literal, Self

from modelwright.core.paging import Pagination
from modelwright.core.wire import Answer, Moment
from modelwright.datasets.rules import Preview


class TablePreview(Answer):
    """Some rows of a CSV, TSV, Parquet or Excel file."""

    filename: str
    total_rows: int
    returned_rows: int
    columns: list[str]
    data: list[list[str]]
    """Rows of cells as strings; a missing value is empty."""

    @classmethod
    def of(cls, preview: Preview) -> Self:
        """Describes rows under columns."""
        return cls.model_validate(_members(preview))


class RecordPreview(Answer):
    """Some records of a JSON file."""

    filename: str
    total_rows: int
    returned_rows: int
    data: list[dict[str, Any]]

    @classmethod
    def of(cls, preview: Preview) -> Self:
        """Describes records."""
        return cls.model_validate(_members(preview))


class DatasetVersion(Answer):
    """A version of a dataset."""

    version: str
    """Label such as `v1.0`."""
    upload_id: str
    created_at: Moment
    """When its upload was completed."""
    status: Literal["complete"] = "complete"
    file_count: int
    total_size_bytes: int


class VersionList(Answer):
    """A page of a dataset's versions, newest first."""

    dataset_name: str
    versions: list[DatasetVersion]
    pagination: Pagination


def _members(preview: Preview) -> dict[str, Any]:
    return {
        "filename": preview.filename,
        "total_rows": preview.total_rows,
        "returned_rows": len(preview.data),
        "columns": preview.columns,
        "data": preview.data,
    }
