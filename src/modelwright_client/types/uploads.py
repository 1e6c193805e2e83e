"""What is declared to the server about files, and what it answers about uploads."""

from typing import Any, Literal, NotRequired, TypedDict

from modelwright_client.types.paging import Pagination

UploadStatus = Literal["pending", "processing", "complete", "failed"]


class FileOptions(TypedDict, total=False):
    """How a file is to be read; what is left out is guessed from its bytes."""

    sheet: str
    delimiter: str
    encoding: str
    header_rows: int
    skip_rows: int
    types: dict[str, Literal["string", "integer", "float", "boolean", "date"]]
    decimal: Literal[".", ","]
    null_values: list[str]


class Reparsed(TypedDict):
    """The new upload in which a stored file is read again."""

    upload_id: str
    status: UploadStatus
    message: str
    estimated_completion: str | None


class FileDeclared(TypedDict):
    """A file that is going to be sent."""

    filename: str
    content_type: str
    size_bytes: NotRequired[int]
    options: NotRequired[FileOptions]


class FileSlot(TypedDict):
    """Where a declared file is to be put."""

    filename: str
    presigned_url: str
    object_key: str
    content_type: str


class UploadCreated(TypedDict):
    """A pending upload with its pre-signed URLs, good until `expires_at`."""

    upload_id: str
    name: str
    description: str | None
    status: UploadStatus
    created_at: str
    expires_at: str
    files: list[FileSlot]


class FileArrived(TypedDict):
    """A file that was sent, as the confirmation names it."""

    filename: str
    object_key: str


class UploadConfirmed(TypedDict):
    """The answer to a confirmation."""

    upload_id: str
    status: UploadStatus
    message: str
    estimated_completion: str | None


class Column(TypedDict):
    """One column of a processed file."""

    name: str
    type: Literal["string", "integer", "float", "boolean", "date"]
    nullable: bool
    unique: bool


class FileBroken(TypedDict):
    """Why a file could not be made into a table; `line` counts from 1."""

    message: str
    line: int | None
    expected: str | None


class UploadedFile(TypedDict):
    """One file of an upload; rows and columns are known once it is processed."""

    filename: str
    size_bytes: int | None
    rows: int | None
    columns: int | None
    content_type: str
    created_at: str
    preview_url: str | None
    object_key: str
    column_info: NotRequired[list[Column] | None]
    presigned_url: NotRequired[str | None]
    error: NotRequired[FileBroken | None]
    notices: NotRequired[list[str]]


class UploadUser(TypedDict):
    """A model that was built from the upload."""

    model_id: str
    model_name: str
    version: str


class Upload(TypedDict):
    """An upload with its files."""

    upload_id: str
    name: str
    description: str | None
    status: UploadStatus
    created_at: str
    created_by: str
    completed_at: NotRequired[str | None]
    expires_at: NotRequired[str]
    files: list[UploadedFile]
    models_using_this: NotRequired[list[UploadUser]]
    error: NotRequired[str | None]


class UploadPage(TypedDict):
    """One page of uploads, newest first."""

    uploads: list[Upload]
    pagination: Pagination


class UploadDeleted(TypedDict):
    """The answer to a deletion."""

    upload_id: str
    status: Literal["deleted"]
    deleted_at: str


class Preview(TypedDict):
    """The first rows of a file: arrays of strings with `columns`, or records for JSON."""

    filename: str
    total_rows: int
    returned_rows: int
    columns: NotRequired[list[str]]
    data: list[Any]


class DatasetVersion(TypedDict):
    """One version of a dataset."""

    version: str
    upload_id: str
    created_at: str
    status: UploadStatus
    file_count: int
    total_size_bytes: int


class DatasetVersions(TypedDict):
    """All versions of a dataset."""

    dataset_name: str
    versions: list[DatasetVersion]
