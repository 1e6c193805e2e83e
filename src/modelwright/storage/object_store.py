"""The port that every kind of object store implements; `disk`, `s3` and `memory` do so here.

Features store bytes without knowing where; the same contract tests run against each of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import Protocol, Self

from modelwright.storage.domain import ByteRange


class ObjectWriter(ABC):
    """An object being written; without `commit` nothing of it is left."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def write(self, piece: bytes) -> None:
        """Adds bytes; refuses when the storage is full."""

    @abstractmethod
    def commit(self) -> None:
        """Makes the object visible, whole and safe from a power cut; refuses a sealed key."""

    @abstractmethod
    def close(self) -> None:
        """Drops what was not committed."""


class ObjectStore(Protocol):
    """Objects under keys such as `uploads/upload_0192/1`; a prefix is a key without its last parts.

    A reader sees an object whole or not at all. A key that is none is refused with ValueError.
    """

    def writer(self, key: str) -> ObjectWriter:
        """Starts an object, which replaces the one before it; refuses a sealed key."""

    def put_file(self, key: str, source: Path) -> None:
        """Stores a file, which is never written to afterwards."""

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Stores a folder's files under a prefix, in place of what was there, all or none.

        Whoever reads while that goes on may see a part where the store moves files one by one, as
        S3 does: a prefix is told to readers afterwards.
        """

    def open(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Reads the bytes from `start` up to, not including, `end`; refuses a missing object."""

    def local(self, key: str, *, is_sampled: bool = False) -> AbstractContextManager[Path]:
        """Lends the object, or the folder of a prefix, as a path to read; refuses a missing one.

        A store that checks what it lends does so only now and then where that is said to do.
        """

    def size(self, key: str) -> int | None:
        """Tells an object's bytes, or None where there is none."""

    def keys(self, prefix: str) -> Iterator[str]:
        """Lists the keys under a prefix in order."""

    def changed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Lists the keys under a prefix, each with the moment it was last stored or sealed."""

    def is_empty(self) -> bool:
        """Returns whether nothing is stored, besides what `probe` may have left behind."""

    def comes_past(self, key: str) -> bool:
        """Tells whether bytes wait to be sealed that never came by this server."""

    def seal(self, key: str) -> int:
        """Closes an object to every later writer and tells its bytes; refuses a missing one.

        A signed address may go on taking bytes, which then nobody reads.
        """

    def delete(self, key: str) -> None:
        """Removes an object; a missing one is no fault."""

    def delete_all(self, prefix: str) -> None:
        """Removes everything under a prefix."""

    def discard(self, key: str, now: datetime) -> None:
        """Moves an object to the trash, where no key leads; a missing one is no fault."""

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each key, and the day that its object was discarded."""

    def recover(self, key: str, day: date) -> bool:
        """Moves an object back from the trash; tells whether its place was free."""

    def empty_trash(self, before: date) -> int:
        """Removes for good what was discarded before a day; tells how many objects."""

    def drop_abandoned(self, before: datetime) -> None:
        """Removes what writers that died left behind and have not touched since."""

    def probe(self) -> None:
        """Writes, reads and removes an object of its own; refuses when that fails."""

    def lock(self, key: str) -> AbstractContextManager[None]:
        """Holds a key against every other writer, of any process; refuses where one holds it."""

    def part_writer(self, key: str, start: int) -> ObjectWriter:
        """Goes on with an object that comes in parts; what is written stays without `commit`.

        Refuses a byte that is not the next one, and a sealed key.
        """

    def missing(self, key: str, size: int) -> list[ByteRange]:
        """Lists what has not come of an object of a size; nothing once it is joined."""

    def sign_parts(
        self, key: str, parts: Sequence[ByteRange], *, expires: datetime, base_url: str
    ) -> list[str]:
        """Makes the address of each of some parts that are missing; they are to come in order."""

    def join_parts(self, key: str, size: int, sha256: str | None) -> str | None:
        """Makes the object visible once all its parts have come; tells its digest where known.

        Refuses an object of which bytes are missing. One with another digest than the one told is
        refused and dropped. A joined one is left as it is.
        """

    def drop_parts(self, prefix: str) -> None:
        """Removes what has come of objects under a prefix that were never joined."""

    def sign_put(self, key: str, *, max_bytes: int, expires: datetime, base_url: str) -> str:
        """Makes an address that takes one object of at most so many bytes, without a key.

        A store that cannot sign a ceiling signs the length itself.
        """

    def sign_get(self, key: str, *, filename: str, expires: datetime, base_url: str) -> str:
        """Makes an address that gives one object away under a file name, without a key."""
