"""Request and response bodies of uploads."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Self
from urllib.parse import quote

from pydantic import AfterValidator, FailFast, Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp, validated_by
from modelwright.engines.ingest.encoding_names import encoding_named
from modelwright.uploads import domain
from modelwright.uploads.domain import FileInfo, NewFile, NewUpload, UploadInfo

StatusWord = Literal["pending", "processing", "complete", "failed"]


NAME: dict[str, Any] = {
    "minLength": 1,
    "maxLength": domain.MAX_NAME_LENGTH,
    "pattern": rf"^[^{domain.CONTROL_CHARACTERS}]*$",
    "allOf": [{"pattern": r"\S"}],
}
"""What `rules.name_fault` takes, as JSON Schema says it."""
FILENAME: dict[str, Any] = {
    **NAME,
    "pattern": rf"^[^./\\{domain.CONTROL_CHARACTERS}][^/\\{domain.CONTROL_CHARACTERS}]*$",
}


DELIMITER = r"^([^\r\n\"]|tab|\\t)$"


def _delimiter_fault(delimiter: str) -> str | None:
    is_one = re.fullmatch(DELIMITER, delimiter) is not None
    return None if is_one else "must be one character, neither a quote nor a line end, or tab"


def _encoding_fault(name: str) -> str | None:
    known = encoding_named(name) is not None
    return None if known else f"there is no encoding {name!r}; such as utf-8, windows-1252 or gbk"


class FileOptions(RequestBody):
    """How a file is to be read; what is left out is guessed from its bytes."""

    sheet: Annotated[Text, Field(min_length=1, max_length=255)] | None = None
    """Name of the sheet of a workbook, or its number from 1; with cells as `Data!A1:F20`."""
    delimiter: (
        Annotated[
            str, Field(json_schema_extra={"pattern": DELIMITER}), validated_by(_delimiter_fault)
        ]
        | None
    ) = None
    """The character between cells; `tab` for tabs."""
    encoding: (
        Annotated[Text, Field(min_length=1, max_length=40), validated_by(_encoding_fault)] | None
    ) = None
    """Such as utf-8, windows-1250 or gbk."""
    header_rows: Annotated[int, Field(ge=0, le=10)] | None = None
    """How many rows name the columns; with 0 names are made up."""
    skip_rows: Annotated[int, Field(ge=0, le=100)] | None = None
    """How many rows above those to skip."""
    types: (
        Annotated[
            dict[Text, Literal["string", "integer", "float", "boolean", "date"]],
            Field(max_length=10_000),
        ]
        | None
    ) = None
    """Types of columns by their names; a file with other values is refused."""
    decimal: Literal[".", ","] | None = None
    """The decimal separator."""
    null_values: Annotated[list[Text], Field(max_length=100)] | None = None
    """Texts that mean a missing value."""

    def told(self) -> dict[str, Any] | None:
        """Returns what was said, None for nothing."""
        return self.model_dump(exclude_none=True) or None


class DeclareFile(RequestBody):
    """A file that will be sent."""

    filename: Annotated[str, Field(json_schema_extra=FILENAME), validated_by(domain.filename_fault)]
    """1 to 255 characters without / and \\, not starting with a dot, unique in the upload."""
    content_type: Annotated[
        str,
        Field(
            max_length=255, examples=["text/csv"], json_schema_extra={"pattern": domain.MIME_TYPE}
        ),
        validated_by(domain.mime_fault),
    ]
    """MIME type; only a hint, because the bytes decide what a file is."""
    size_bytes: Annotated[int, Field(ge=0)] | None = None
    """Size in bytes; the address then takes no more than that."""
    options: FileOptions | None = None
    """How to read the file; what is left out is guessed."""


def _new_file(file: DeclareFile) -> NewFile:
    told = file.options.told() if file.options else None
    return NewFile(file.filename, file.content_type, file.size_bytes, told)


def _unique(files: list[DeclareFile]) -> list[DeclareFile]:
    seen = set()
    for file in files:
        if file.filename in seen:
            message = f"two files are named {file.filename!r}; names must be unique in the upload"
            raise ValueError(message)
        seen.add(file.filename)
    return files


class CreateUpload(RequestBody):
    """Declares the files of a new upload."""

    name: Annotated[str, Field(json_schema_extra=NAME), validated_by(domain.name_fault)] | None = (
        None
    )
    """Name of the dataset this is a version of; without one the first file's name is shown."""
    description: Annotated[Text, Field(max_length=10_000)] | None = None
    files: Annotated[list[DeclareFile], FailFast(), Field(min_length=1), AfterValidator(_unique)]
    """1 to 50 files, 5 GB each and 20 GB together at the most."""

    def new(self) -> NewUpload:
        """Reads the body as the feature's own terms."""
        files = tuple(_new_file(file) for file in self.files)
        return NewUpload(self.name, self.description, files)


class ListedFile(RequestBody):
    """A file that was sent."""

    filename: Text
    object_key: Text


class ConfirmUpload(RequestBody):
    """Confirms that all files are in place, or gives the upload up."""

    upload_id: Text
    status: Literal["complete", "failed"]
    files: Annotated[list[ListedFile], FailFast()]
    """With `complete`: exactly the declared files."""


class PlacedFile(ResponseBody):
    """A declared file with the address that takes it."""

    filename: str
    presigned_url: str
    object_key: str
    content_type: str


class UploadCreated(ResponseBody):
    """A new upload and where to PUT its files."""

    upload_id: str
    name: str
    description: str | None
    status: StatusWord
    created_at: Timestamp
    files: list[PlacedFile]
    expires_at: Timestamp
    """When the addresses run out; `GET /data/upload` makes new ones."""

    @classmethod
    def of(cls, upload: UploadInfo, addresses: Mapping[int, str]) -> Self:
        """Describes a new upload; the addresses are by file number."""
        files = [
            PlacedFile.showing(file, presigned_url=addresses[file.number]) for file in upload.files
        ]
        return cls.showing(upload, files=files)


class UploadStanding(ResponseBody):
    """The state of an upload after its confirmation."""

    upload_id: str
    status: StatusWord
    message: str
    estimated_completion: Timestamp | None
    """Null where it will not be completed."""


class FileProgress(ResponseBody):
    """How much of a file has arrived."""

    upload_id: str
    filename: str
    object_key: str
    size_bytes: int | None
    """The declared size; null for a file that was declared without one."""
    received_bytes: int
    is_complete: bool
    """Whether the file is whole, so that it can be confirmed."""


class MissingPart(ResponseBody):
    """A part of a file that has not arrived."""

    start: int
    """The first byte of the part, counted from 0."""
    end: int
    """The byte after its last one."""
    presigned_url: str
    """PUT these bytes, and no others, to it; it needs no API key."""


class MissingParts(FileProgress):
    """Addresses for the rest of a file."""

    parts: list[MissingPart]
    """What is missing, at most 100 parts of at most 16 MB, to be sent in this order; ask again
    after them, and after a part that broke off. Empty once all has come."""
    expires_at: Timestamp
    """When the addresses run out."""

    @classmethod
    def of(cls, missing: domain.MissingParts) -> Self:
        """Describes what is missing."""
        return cls.showing(
            missing.progress, parts=list(missing.parts), expires_at=missing.expires_at
        )


class CompleteFile(RequestBody):
    """Says that all parts of a file have been sent."""

    sha256: (
        Annotated[
            Text,
            Field(json_schema_extra={"pattern": domain.SHA256_PATTERN}),
            validated_by(domain.sha256_fault),
        ]
        | None
    ) = None
    """SHA-256 of the whole file in lower-case hexadecimal; another one is refused."""


class FileComplete(ResponseBody):
    """A file that has arrived completely."""

    upload_id: str
    filename: str
    object_key: str
    size_bytes: int
    sha256: str | None
    """Null where the storage has not read the file yet."""


class FileBroken(ResponseBody):
    """Why a file could not be read as a table."""

    message: str
    line: int | None
    """Line, or row of a sheet, counted from 1; null where it is not known."""
    expected: str | None


class ReadAs(ResponseBody):
    """How a file was read: by the given options, else by what was guessed from its bytes."""

    sheet: str | None = None
    """The sheet of a workbook."""
    delimiter: str | None = None
    """The character between cells, `tab` for tabs; null where there is none."""
    encoding: str | None = None
    header_rows: int | None = None
    """How many rows name the columns."""
    skip_rows: int | None = None
    """How many rows above those to skip."""
    decimal: str | None = None
    """The decimal separator."""
    null_values: list[str] = Field(default_factory=list)
    """Texts that meant a missing value."""


class UploadFile(ResponseBody):
    """A file of an upload."""

    filename: str
    size_bytes: int | None
    """The real size once it is confirmed, the declared one before."""
    rows: int | None
    columns: int | None
    content_type: str
    created_at: Timestamp
    preview_url: str | None
    """Null until the file is processed."""
    object_key: str
    error: FileBroken | None
    notices: list[str]
    """What was guessed, repaired or left out, such as a total at the foot."""
    options: dict[str, Any] | None
    """The options that were given for reading it; null where all was guessed."""
    read_as: ReadAs | None
    """How it was read; null until it is processed, and where nothing is guessed."""

    @classmethod
    def of(cls, upload_id: str, file: FileInfo, base_url: str, **other: Any) -> Self:
        """Describes a file, by other members too."""
        path = f"/data/uploads/{upload_id}/files/{quote(file.filename, safe='')}/preview"
        return cls.showing(
            file,
            size_bytes=file.declared_bytes if file.size_bytes is None else file.size_bytes,
            preview_url=base_url + path if file.has_table else None,
            **other,
        )


class Upload(ResponseBody):
    """An upload."""

    upload_id: str
    name: str
    description: str | None
    status: StatusWord
    created_at: Timestamp
    created_by: str
    completed_at: Timestamp | None
    expires_at: Timestamp
    error: str | None
    dataset_version: str | None
    files: list[UploadFile]

    @classmethod
    def of(cls, upload: UploadInfo, base_url: str) -> Self:
        """Describes an upload."""
        files = [UploadFile.of(upload.upload_id, file, base_url) for file in upload.files]
        return cls.showing(upload, files=files)


class UploadList(ResponseBody):
    """A page of uploads."""

    uploads: list[Upload]
    pagination: Pagination


class ResumableFile(UploadFile):
    """A file, with a fresh address where it has not arrived."""

    presigned_url: str | None


class ResumableUpload(Upload):
    """An upload that can be resumed."""

    files: list[ResumableFile]  # type: ignore[assignment] # says more of each file

    @classmethod
    def with_addresses(
        cls, upload: UploadInfo, base_url: str, addresses: Mapping[int, str]
    ) -> Self:
        """Describes an upload; the addresses are by file number."""
        files = [
            ResumableFile.of(
                upload.upload_id, file, base_url, presigned_url=addresses.get(file.number)
            )
            for file in upload.files
        ]
        return cls.showing(upload, files=files)


class ResumableList(ResponseBody):
    """A page of uploads that can be resumed."""

    uploads: list[ResumableUpload]
    pagination: Pagination


class ColumnInfo(ResponseBody):
    """A column."""

    name: str
    type: Literal["string", "integer", "float", "boolean", "date"]
    nullable: bool
    unique: bool
    unit: str = ""
    """What all its numbers were written with in the file (`%`, a currency); empty where nothing."""


class FileDetail(UploadFile):
    """A file with its columns."""

    column_info: list[ColumnInfo] | None
    """Null until the file is processed."""


class ModelUsing(ResponseBody):
    """A version of a model made from the upload."""

    model_id: str
    model_name: str
    version: str


class UploadDetail(Upload):
    """An upload with its columns and the models made from it."""

    files: list[FileDetail]  # type: ignore[assignment] # says more of each file
    models_using_this: list[ModelUsing]

    @classmethod
    def in_full(
        cls,
        upload: UploadInfo,
        base_url: str,
        columns: Mapping[int, Iterable[domain.FileColumn]],
        users: Iterable[domain.ModelReference],
    ) -> Self:
        """Describes an upload; the columns are by file number."""
        files = [
            FileDetail.of(upload.upload_id, file, base_url, column_info=columns.get(file.number))
            for file in upload.files
        ]
        return cls.showing(upload, files=files, models_using_this=list(users))


class UploadDeleted(ResponseBody):
    """A deleted upload."""

    upload_id: str
    status: Literal["deleted"] = "deleted"
    deleted_at: Timestamp
