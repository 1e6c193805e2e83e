"""The words of an export, and which file becomes which.

What an export will hold is planned before it starts, so that two files of one name are told apart
and a run that is repeated makes the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from modelwright.uploads.domain import TableFile, stem_of

SECONDS_PER_FILE = 2.0
"""Time that a file takes however small it is."""
BYTES_PER_SECOND = 40_000_000
"""How fast a file is written at the least on two cores; estimates stand on it."""


class Status(StrEnum):
    """The contract's words, and ours for what went wrong."""

    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"


class Format(StrEnum):
    """What a file may be made into; without one it stays as it came."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
COMPRESSED = (".gz", ".zst")
CONVERTED_FORMATS = MEDIA_TYPES | {"csv": "text/csv; charset=utf-8"}
"""What we write ourselves; a file that came has a charset of its own, which nobody wrote down."""
OTHER_MEDIA_TYPE = "application/octet-stream"
"""What every other file is: nothing that a browser would show."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is to be exported; without `files` all, without a format as they came."""

    upload_id: str
    files: tuple[str, ...] | None
    format: Format | None
    include_headers: bool
    email: str | None


@dataclass(frozen=True, slots=True)
class SignedDownload:
    """An address that gives a file away without a key, and when it stops."""

    address: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of an export: the object it is made from, how, and what came of it."""

    filename: str
    source: str
    """Key of the object: the table, or the file as it came."""
    convert: Format | None
    """What the table is written as; None where the object is taken as it is."""
    media_type: str
    size_bytes: int | None = None
    notice: str | None = None
    """What is to be said of the file once it is made."""


@dataclass(frozen=True, slots=True)
class ExportInfo:
    """What is known of an export."""

    export_id: str
    account_id: str
    upload_id: str
    upload_name: str
    job_id: str
    status: Status
    format: Format | None
    include_headers: bool
    email: str | None
    """Whom to tell when it is completed."""
    notified_at: datetime | None
    base_url: str
    """What addresses in mail begin with; empty where the operator did not say."""
    created_at: datetime
    estimated_completion: datetime
    completed_at: datetime | None
    expires_at: datetime | None
    error: str | None
    pieces: tuple[ExportFile, ...]

    def key(self, number: int) -> str:
        """Names the object of a file; files are counted from 0."""
        return f"exports/{self.export_id}/{number}"


def seconds_for(sizes: list[int]) -> float:
    """Estimates how long an export takes."""
    return len(sizes) * SECONDS_PER_FILE + sum(sizes) / BYTES_PER_SECOND


def plan_files(
    tables: Iterable[TableFile], wanted: Format | None, *, include_headers: bool
) -> list[ExportFile]:
    """Plans which file each table becomes; without a format it is given as it came."""
    tables = list(tables)
    pieces = [_export_file(table, wanted, include_headers=include_headers) for table in tables]
    names = unique_filenames(piece.filename for piece in pieces)
    return [replace(piece, filename=name) for piece, name in zip(pieces, names, strict=True)]


def _export_file(table: TableFile, wanted: Format | None, *, include_headers: bool) -> ExportFile:
    if wanted is None and table.format == Format.CSV and not include_headers:
        wanted = Format.CSV
    if wanted is None:
        kind = OTHER_MEDIA_TYPE
        if not table.filename.lower().endswith(COMPRESSED):
            kind = MEDIA_TYPES.get(table.format, OTHER_MEDIA_TYPE)
        return ExportFile(table.filename, table.object_key, None, kind)
    filename = f"{stem_of(table.filename)}.{wanted.value}"
    convert = None if wanted is Format.PARQUET else wanted
    return ExportFile(filename, table.key, convert, CONVERTED_FORMATS[wanted])


def unique_filenames(filenames: Iterable[str]) -> list[str]:
    """Numbers names that are there already: `a.csv`, `a_2.csv`."""
    names: list[str] = []
    for filename in filenames:
        stem, dot, ending = filename.rpartition(".")
        name, number = filename, 1
        while name in names:
            number += 1
            name = f"{stem}_{number}{dot}{ending}" if dot else f"{filename}_{number}"
        names.append(name)
    return names
