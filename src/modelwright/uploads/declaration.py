"""What may be declared, and the rows that are made of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from modelwright.core.ids import UploadId, new_id
from modelwright.core.limits.contract import GB, Limits
from modelwright.uploads.domain import NewFile, NewUpload, Status
from modelwright.uploads.errors import FileTooLarge, TooManyFiles, UploadTooLarge
from modelwright.uploads.orm import FileRecord, UploadRecord


def check(files: Sequence[NewFile], limits: Limits) -> None:
    """Refuses too many files, and declared sizes that are too large."""
    if len(files) > limits.files_per_upload:
        message = f"files: {len(files)} are more than the {limits.files_per_upload} an upload holds"
        raise TooManyFiles(f"{message}; make several uploads.")
    check_sizes({file.filename: file.size_bytes or 0 for file in files}, limits)


def check_sizes(sizes: Mapping[str, int], limits: Limits) -> None:
    """Refuses a file that is too large, and files that are too large together."""
    for name, size in sizes.items():
        if size > limits.file_bytes:
            bound = _gigabytes(limits.file_bytes)
            raise FileTooLarge(f"size_bytes: {name} is larger than {bound}, the most for one file.")
    if sum(sizes.values()) > limits.upload_bytes:
        bound = _gigabytes(limits.upload_bytes)
        raise UploadTooLarge(f"files: together they are larger than {bound}; make several uploads.")


def row(new: NewUpload, created_by: str, now: datetime, expires_at: datetime) -> UploadRecord:
    """Makes the row of a new upload with its files."""
    upload_id = UploadId(new_id("upload"))
    return UploadRecord(
        upload_id=upload_id,
        name=new.name or new.files[0].filename,
        is_named=new.name is not None,
        description=new.description,
        status=Status.PENDING,
        created_by=created_by,
        created_at=now,
        expires_at=expires_at,
        files=[
            FileRecord(
                number=number,
                filename=file.filename,
                content_type=file.content_type,
                declared_bytes=file.size_bytes,
                object_key=f"uploads/{upload_id}/{number}",
                created_at=now,
                options=file.options,
                copied_from=file.copied_from,
            )
            for number, file in enumerate(new.files, start=1)
        ],
    )


def _gigabytes(size: int) -> str:
    return f"{size / GB:g} GB"
