"""Errors of the feature.

What is missing because it was deleted and what is missing though it never was are told apart here:
the second is a loss that an operator must hear of.
"""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from modelwright.core.errors import (
    Conflict,
    Damaged,
    Detail,
    Forbidden,
    NotFound,
    PayloadTooLarge,
    Unavailable,
    ValidationFailed,
)
from modelwright.storage.domain import ByteRange

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
"""A disk that failed becomes read-only, and is as good as full."""


class ObjectMissing(NotFound):
    """Nothing is stored under the key."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"Nothing is stored under {key}; make it anew, or ask for its address again."
        )


REMEDY = (
    "The operator puts it back from a backup; without one, retrain the model or upload the file"
    " again."
)
"""What to do about an object that is no longer what was stored."""


class ObjectDamaged(Damaged):
    """The stored bytes are no longer those that were stored."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The stored object {key} is damaged: its SHA-256 is no longer the one it was stored"
            f" with. {REMEDY}"
        )
        self.key = key


class ObjectLost(Damaged):
    """What was stored, and never deleted, is not there."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The stored object {key} is missing. {REMEDY}")
        self.key = key


class ObjectSealed(Conflict):
    """The object was confirmed and takes no more bytes."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was confirmed and cannot be replaced; make a new upload.")


class AlreadyArriving(Conflict):
    """Another body is coming for the same key at this moment."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"Another upload to {key} is going on; wait until it has ended, or make a new upload."
        )


class ObjectTooLarge(PayloadTooLarge):
    """More bytes than the address was signed for."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(
            f"The body is larger than the {max_bytes} bytes this address was signed for;"
            " declare the file's real size_bytes, or none."
        )


class PartMisplaced(Conflict):
    """The part does not begin where the bytes that have come end."""

    def __init__(self, start: int, have: int) -> None:
        super().__init__(
            f"This part begins at byte {start}, but {have} bytes of the file have come, so that it"
            " would overlap them or leave a gap; ask for the addresses of what is missing with"
            " POST /uploads/{upload_id}/files/{filename}/parts."
        )


class PartsMissing(Conflict):
    """The object has not come whole."""

    def __init__(self, missing: Sequence[ByteRange]) -> None:
        first = missing[0]
        count = sum(part.end - part.start for part in missing)
        super().__init__(
            f"{count} bytes of the file have not come, the first of them byte {first.start}; ask"
            " for the addresses of what is missing with"
            " POST /uploads/{upload_id}/files/{filename}/parts."
        )
        self.missing = missing


class DigestWrong(ValidationFailed):
    """The bytes that came are not those that were meant."""

    def __init__(self, told: str, found: str) -> None:
        message = (
            f"the bytes that came have the SHA-256 {found}, not {told}; they were dropped. Send"
            " the file again from its start."
        )
        super().__init__(f"sha256: {message}", details=(Detail("sha256", message),))


class AddressRefused(Forbidden):
    """The address was not signed here, was changed, or is for another method."""


class AddressExpired(Forbidden):
    """The address's time has run out."""


class ObjectsOfAnother(Unavailable):
    """The objects are not those of the database."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The objects here are not those of the database: {key} is not among them; have the"
            " folder objects, or the bucket, be the first machine's, or restore it."
        )


class ObjectsUnmarked(Unavailable):
    """There are objects, and the database has never marked them as its own."""

    def __init__(self) -> None:
        super().__init__(
            "The objects here are not this database's: it has never marked them as its own. Have"
            " the server use the database that names them (MODELWRIGHT_DATABASE_URL, or"
            " modelwright.sqlite from a backup), or give this one objects of its own; modelwright"
            " adopt takes them over as they are."
        )


class ObjectsShared(Unavailable):
    """Another database has marked the same objects as its own."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The objects here are another database's as well: {key} is its mark among them. Give"
            " each server with a database of its own a folder or bucket of its own; modelwright"
            " adopt makes these the objects of this database alone."
        )


class SweptByACopy(Unavailable):
    """A copy of this database, or this one at a later moment, has swept the objects."""

    def __init__(self) -> None:
        super().__init__(
            "A copy of this database has swept the objects, or it swept them itself before it was"
            " put back to an earlier moment: it may not name all of them, so none is swept. Where"
            " a copy runs, give it objects of its own. If this is the right database, modelwright"
            " cleanup moves what it does not name to the trash, and sweeps go on."
        )


class SweepsStopped(Unavailable):
    """Sweeps would take more than leftovers, and wait for the operator."""


class StorageUnavailable(Unavailable):
    """The storage on another machine does not answer as it should."""

    def __init__(self, why: str) -> None:
        super().__init__("The storage can't be used now; try again later.", retry_after=30)
        self.why = why
        """What it answered, for the operator."""


class StorageFull(Unavailable):
    """There is no room left, or nothing can be written any more."""

    def __init__(self) -> None:
        super().__init__("The storage is full or read-only; try again later.", retry_after=60)


@contextmanager
def full_is_unavailable() -> Iterator[None]:
    """Tells a full disk as a refusal; every other fault stays what it is."""
    try:
        yield
    except OSError as fault:
        if fault.errno in _FULL:
            raise StorageFull from fault
        raise
