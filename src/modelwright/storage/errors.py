"""Refusals of the room."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from modelwright.core.errors import Conflict, Forbidden, NotFound, PayloadTooLarge, Unavailable

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
"""A disk that failed becomes read-only, and is as good as full."""


class ObjectMissing(NotFound):
    """Nothing is stored under the key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"Nothing is stored under {key}.")


class ObjectSealed(Conflict):
    """The object was confirmed and takes no more bytes."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was confirmed and cannot be replaced; make a new upload.")


class ObjectTooLarge(PayloadTooLarge):
    """More bytes than the address was signed for."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(
            f"The body is larger than the {max_bytes} bytes this address was signed for;"
            " declare the file's real size_bytes, or none."
        )


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


class StorageAway(Unavailable):
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
