"""The words of an upload, its moves, and what is known of it and its files.

What a name may hold is settled here for files, tables, exports and storage, which all show or use
it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from modelwright.engines.ingest.read_options import CALLED, NAMING, OPTIONS_OF
from modelwright.engines.ingest.table import Format

MAX_NAME_LENGTH = 255
"""Characters of a dataset's or file's name."""
ZERO_WIDTH = "\u00ad\u180e\u200b\u2060-\u2064\ufeff"
"""Characters that nobody sees: two names that differ by them look alike. Joiners and marks of
direction are parts of words in some scripts."""
FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that leave no mark."""
CONTROL_CHARACTERS = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
"""Characters that commands are made of, and those that turn the direction of what is read, so that
a name looks like another one."""
MIME_TYPE = r"^[A-Za-z0-9_.+-]+/[A-Za-z0-9_.+-]+( *;[ -~]*)?$"
SECONDS_PER_FILE = 2.0
"""Time that a file takes however small it is."""
BYTES_PER_SECOND = 40_000_000
"""How fast a file is processed at the least on two cores; estimates stand on it."""
_ENDINGS = re.compile(
    r"(\.(csv|tsv|txt|json|jsonl|ndjson|geojson|parquet|xlsx|xls|xlsb|ods|gz|zst))+$", re.IGNORECASE
)


class Status(StrEnum):
    """The contract's words."""

    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


class UploadEvent(StrEnum):
    """What can happen to an upload."""

    CONFIRM = "confirm"
    GIVE_UP = "give up"
    EXPIRE = "expire"
    FINISH = "finish"
    FAIL = "fail"


TRANSITIONS: dict[tuple[Status, UploadEvent], Status] = {
    (Status.PENDING, UploadEvent.CONFIRM): Status.PROCESSING,
    (Status.PENDING, UploadEvent.GIVE_UP): Status.FAILED,
    (Status.PENDING, UploadEvent.EXPIRE): Status.FAILED,
    (Status.PROCESSING, UploadEvent.GIVE_UP): Status.FAILED,
    (Status.PROCESSING, UploadEvent.FINISH): Status.COMPLETE,
    (Status.PROCESSING, UploadEvent.FAIL): Status.FAILED,
}
"""Every move there is."""


SHA256_PATTERN = "^[0-9a-f]{64}$"


def sha256_fault(text: str) -> str | None:
    """Says what is wrong with a digest as it is written; None when nothing is."""
    if re.fullmatch(SHA256_PATTERN, text):
        return None
    return "must be a SHA-256: 64 digits of 0 to 9 and a to f"


def name_fault(name: str) -> str | None:
    """Says what is wrong with a name of an upload or a file; None when nothing is."""
    if not 1 <= len(name) <= MAX_NAME_LENGTH:
        return f"must have 1 to {MAX_NAME_LENGTH} characters"
    if re.search(rf"[{CONTROL_CHARACTERS}\ud800-\udfff]", name):
        return "must not contain control characters"
    if re.search(f"[{ZERO_WIDTH}]", name):
        return "must not contain zero-width characters"
    if not any(_is_visible(sign) for sign in name):
        return "must not be blank"
    return None


def _is_visible(sign: str) -> bool:
    """Says whether a character leaves a mark by itself: no space, no sign of format or filler."""
    return sign not in FILLERS and unicodedata.category(sign)[0] not in "ZC"


def filename_fault(name: str) -> str | None:
    """Says what is wrong with a file's name; None when nothing is."""
    if "/" in name or "\\" in name:
        return "must not contain / or \\"
    if name.startswith("."):
        return "must not start with a dot"
    return name_fault(name)


def mime_fault(told: str) -> str | None:
    """Says what is wrong with a MIME type; None when nothing is."""
    return None if re.fullmatch(MIME_TYPE, told) else "must be a MIME type such as text/csv"


def stem_of(filename: str) -> str:
    """Returns a file's name without the endings that tell its format."""
    return _ENDINGS.sub("", filename) or "table"


def seconds_for(sizes: list[int]) -> float:
    """Estimates how long the processing of files takes."""
    return len(sizes) * SECONDS_PER_FILE + sum(sizes) / BYTES_PER_SECOND


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is to come."""

    filename: str
    content_type: str
    size_bytes: int | None = None
    options: dict[str, Any] | None = None
    """How it is to be read, in place of what would be guessed."""
    copied_from: str | None = None
    """The key of the stored object that it is a copy of; None for a file that will be put."""


@dataclass(frozen=True, slots=True)
class NewUpload:
    """Files that are to come together; without a name they are named after the first."""

    name: str | None
    description: str | None
    files: tuple[NewFile, ...]


@dataclass(frozen=True, slots=True)
class ConfirmedFile:
    """A file as the one who confirms names it."""

    filename: str
    object_key: str


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column."""

    name: str
    type: str
    nullable: bool
    unique: bool
    unit: str = ""
    """What all its numbers were written with in the file: `%` or a currency."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What is known of a file; rows and columns once it is processed."""

    number: int
    filename: str
    content_type: str
    declared_bytes: int | None
    size_bytes: int | None
    object_key: str
    created_at: datetime
    rows: int | None
    columns: int | None
    has_table: bool
    error: dict[str, Any] | None
    notices: tuple[str, ...] = ()
    """What is to be said of rows that were left out."""
    options: dict[str, Any] | None = None
    """How its owner said that it is to be read."""
    read_as: dict[str, Any] | None = None
    """How it was read, guesses included."""
    copied_from: str | None = None
    """The key of the stored object that it is a copy of."""


SHOWN_COLUMNS = 10
"""Columns that a refusal lists."""


def options_fault(file: FileInfo, columns: Sequence[str], said: Mapping[str, Any]) -> str | None:
    """Says which option does not fit a file that was read before; None where all may fit.

    Args:
        file: The file; one that could not be read tells nothing.
        columns: The names of its columns.
        said: The options by their names.

    Returns:
        A sentence that begins with the option.
    """
    if file.read_as is None:
        return None
    kind = _format_of(file.read_as)
    for name in said:
        if name not in OPTIONS_OF[kind]:
            return f"{name}: {CALLED[kind]} is read without it; leave it out."
    if NAMING & (said.keys() | (file.options or {}).keys()):
        return None
    known = {unicodedata.normalize("NFC", name) for name in columns}
    for name in said.get("types") or {}:
        if columns and unicodedata.normalize("NFC", name) not in known:
            there = ", ".join(map(repr, columns[:SHOWN_COLUMNS]))
            return f"types: there is no column {name!r} in {file.filename}; it has {there}."
    return None


def _format_of(read_as: Mapping[str, Any]) -> Format:
    """Names the format of a file by how it was read."""
    signs: tuple[tuple[str, Format], ...] = (
        ("sheet", "xlsx"),
        ("delimiter", "csv"),
        ("encoding", "json"),
    )
    return next((kind for sign, kind in signs if sign in read_as), "parquet")


@dataclass(frozen=True, slots=True)
class FileProgress:
    """How much of a file has arrived."""

    upload_id: str
    filename: str
    object_key: str
    size_bytes: int | None
    received_bytes: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A stretch of a file that has not come, up to, not including, `end`, and where it goes."""

    start: int
    end: int
    presigned_url: str


@dataclass(frozen=True, slots=True)
class MissingParts:
    """What is still to come of a file, the first of it with addresses."""

    progress: FileProgress
    parts: tuple[MissingPart, ...]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class FileComplete:
    """A file that has come whole; the digest where it is known."""

    upload_id: str
    filename: str
    object_key: str
    size_bytes: int
    sha256: str | None


@dataclass(frozen=True, slots=True)
class UploadInfo:
    """What is known of an upload."""

    upload_id: str
    name: str
    is_named: bool
    description: str | None
    status: Status
    created_by: str
    created_at: datetime
    expires_at: datetime
    completed_at: datetime | None
    estimated_completion: datetime | None
    error: str | None
    files: tuple[FileInfo, ...]
    dataset_version: str | None = None
    """Which version of its dataset it is; None until it is complete."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file of an upload, found by its name."""

    upload: UploadInfo
    file: FileInfo


@dataclass(frozen=True, slots=True)
class TableFile:
    """A processed file: the key of its table, and what the table holds."""

    filename: str
    key: str
    rows: int
    columns: tuple[FileColumn, ...]
    format: str
    object_key: str
    size_bytes: int


def units_of(table: TableFile) -> dict[str, str]:
    """Returns the units of a table's columns by their names, where they have one."""
    return {column.name: column.unit for column in table.columns if column.unit}


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A model that was made from an upload."""

    model_id: str
    model_name: str
    version: str


@dataclass(frozen=True, slots=True)
class UploadCompleted:
    """Announced in the transaction that completes an upload."""

    upload_id: str
    name: str
    is_named: bool
    completed_at: datetime
    tables: tuple[TableFile, ...]
    read_again: str | None = None
    """The upload whose files it is another reading of; None of files that were sent."""


@dataclass(frozen=True, slots=True)
class UploadDeleted:
    """Announced in the transaction that deletes an upload."""

    upload_id: str


@dataclass(frozen=True, slots=True)
class UploadRestored:
    """Announced in the transaction that takes an upload back from the trash."""

    upload_id: str


@dataclass(frozen=True, slots=True)
class TrashedUpload:
    """An upload that lies in the trash."""

    upload_id: str
    name: str
    size_bytes: int
    trashed_at: datetime
