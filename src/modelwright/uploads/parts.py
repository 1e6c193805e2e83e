"""A file that comes in parts: what has come of it, where the rest goes, and its completion."""

from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import (
    FileComplete,
    FileInfo,
    FileProgress,
    MissingPart,
    MissingParts,
    Status,
    UploadInfo,
)
from modelwright.uploads.errors import SizeNotDeclared, UploadIsOver

MOST_ADDRESSES = 100
"""For how many parts addresses are made at a time; who has sent those asks again."""


def progress(upload: UploadInfo, file: FileInfo, objects: ObjectStore) -> FileProgress:
    """Returns how much of a file has arrived."""
    size = objects.size(file.object_key)
    if size is not None:
        return FileProgress(*_names(upload, file), size, size, is_complete=True)
    expected, received = file.declared_bytes, 0
    if expected is not None and upload.status is Status.PENDING:
        missing = objects.missing(file.object_key, expected)
        received = expected - sum(part.end - part.start for part in missing)
    return FileProgress(*_names(upload, file), expected, received, is_complete=False)


def missing(
    upload: UploadInfo, file: FileInfo, objects: ObjectStore, base_url: str
) -> MissingParts:
    """Makes addresses for the first parts that are missing of a file of a pending upload."""
    size = declared(upload, file)
    left = objects.missing(file.object_key, size)
    ranges = left[:MOST_ADDRESSES]
    addresses = objects.sign_parts(
        file.object_key, ranges, expires=upload.expires_at, base_url=base_url
    )
    return MissingParts(
        progress(upload, file, objects),
        tuple(
            MissingPart(part.start, part.end, address)
            for part, address in zip(ranges, addresses, strict=True)
        ),
        upload.expires_at,
    )


def complete(
    upload: UploadInfo, file: FileInfo, objects: ObjectStore, sha256: str | None
) -> FileComplete:
    """Makes a file of its parts; refuses bytes that are missing, and others than those told of."""
    size = declared(upload, file)
    digest = objects.join_parts(file.object_key, size, sha256)
    return FileComplete(*_names(upload, file), size, digest)


def declared(upload: UploadInfo, file: FileInfo) -> int:
    """Tells how large a file is to be; refuses an upload that is over, and a file of any size."""
    if upload.status is not Status.PENDING:
        raise UploadIsOver(upload.status)
    if file.declared_bytes is None:
        raise SizeNotDeclared(file.filename)
    return file.declared_bytes


def _names(upload: UploadInfo, file: FileInfo) -> tuple[str, str, str]:
    return upload.upload_id, file.filename, file.object_key
