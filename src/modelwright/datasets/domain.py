"""What a version of a dataset is called, and how it is asked for.

Labels tell whether a model that was trained on one version can be retrained on the next: the major
number changes exactly where the columns do.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from modelwright.uploads.domain import TableFile

_REFERENCE_PATTERN = re.compile(r"(.+)@v([0-9]{1,9})\.([0-9]{1,9})", re.DOTALL)


class VersionLabel(NamedTuple):
    """A version's label, `v<major>.<minor>`."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}"


FIRST_LABEL = VersionLabel(1, 0)
Shape = list[list[list[str]]]
"""The distinct sets of column names and types of an upload's tables, sorted throughout."""


def shape_of(tables: Iterable[TableFile]) -> Shape:
    """Returns what two uploads have in common when they hold the same columns."""
    shapes = {
        tuple(sorted((column.name, column.type) for column in table.columns)) for table in tables
    }
    return [[list(column) for column in shape] for shape in sorted(shapes)]


def next_label(last: VersionLabel | None, *, same_shape: bool) -> VersionLabel:
    """Raises the minor number for the same columns, the major one for others."""
    if last is None:
        return FIRST_LABEL
    return (
        VersionLabel(last.major, last.minor + 1) if same_shape else VersionLabel(last.major + 1, 0)
    )


def parse_reference(dataset_id: str) -> tuple[str, VersionLabel] | None:
    """Reads `name@v1.2`; None for what is not of that form."""
    found = _REFERENCE_PATTERN.fullmatch(dataset_id)
    return (found[1], VersionLabel(int(found[2]), int(found[3]))) if found else None


@dataclass(frozen=True, slots=True)
class DatasetVersionInfo:
    """What is known of a version of a dataset."""

    version: str
    upload_id: str
    created_at: datetime
    file_count: int
    total_size_bytes: int


@dataclass(frozen=True, slots=True)
class VersionsNow:
    """Which version of a dataset an upload is, and which one is the newest."""

    dataset_name: str
    version: str
    newest_version: str
    newest_upload_id: str


@dataclass(frozen=True, slots=True)
class ResolvedDataset:
    """The upload that a dataset's name stands for."""

    upload_id: str
    dataset_name: str
    version_label: str
    tables: list[TableFile]
    own: str = ""
    """The first upload of a dataset whose uploads carry no name; empty where they do."""


@dataclass(frozen=True, slots=True)
class Preview:
    """Some rows of a file: lists of texts under columns, or records where there are none."""

    filename: str
    total_rows: int
    columns: list[str] | None
    data: list[Any]
