"""What exports are asked and what they answer.

Download addresses are signed when an export is read, so that they stand in the answer only and not
in the database.
"""

from typing import Annotated, Literal

from pydantic import Field

from modelwright.core.http.schemas import RequestBody, ResponseBody, Text, Timestamp
from modelwright.core.limits.contract import LIMITS
from modelwright.exports.domain import ExportInfo, ExportRequest, Format, SignedDownload


class CreateExport(RequestBody):
    """Starts an export of an upload's files."""

    upload_id: Text
    files: Annotated[list[Text], Field(max_length=LIMITS.files_per_upload)] | None = None
    """Names of files; by default all."""
    format: Literal["csv", "json", "parquet"] | None = None
    """By default each file is given as it was uploaded."""
    include_headers: bool = True
    """Whether CSV files begin with the columns' names."""
    email_notification: bool = False
    """Whether a mail goes to the account when the files are ready."""

    def to_request(self, email: str) -> ExportRequest:
        """Returns the export that somebody with this e-mail asks for."""
        return ExportRequest(
            upload_id=self.upload_id,
            files=None if self.files is None else tuple(self.files),
            format=Format(self.format) if self.format else None,
            include_headers=self.include_headers,
            email=email if self.email_notification else None,
        )


class ExportedFile(ResponseBody):
    """A file to download."""

    filename: str
    size_bytes: int
    download_url: str
    """Works without a key until `download_url_expires_at`; each reading of the export gives one."""
    download_url_expires_at: Timestamp
    expires_at: Timestamp
    """When the file is removed."""
    notice: str | None
    """Of scored files: how many rows have no prediction, and why the first has none."""


class Export(ResponseBody):
    """The state of an export."""

    export_id: str
    upload_id: str
    job_id: str
    status: str
    """`processing`, `completed` or `failed`."""
    format: str | None
    """Null where the files are given as they were uploaded."""
    created_at: Timestamp
    completed_at: Timestamp | None
    estimated_completion: Timestamp
    files: list[ExportedFile]
    """Empty until it is completed."""
    error: str | None

    @classmethod
    def of(cls, export: ExportInfo, addresses: list[SignedDownload]) -> "Export":
        """Shows an export with the addresses of its files, if there are any yet."""
        expires_at = export.expires_at or export.estimated_completion
        return cls.showing(
            export,
            estimated_completion=export.completed_at or export.estimated_completion,
            files=[
                ExportedFile.showing(
                    piece,
                    size_bytes=piece.size_bytes or 0,
                    download_url=signed.address,
                    download_url_expires_at=signed.expires_at,
                    expires_at=expires_at,
                )
                for piece, signed in zip(export.pieces, addresses, strict=False)
            ],
        )
