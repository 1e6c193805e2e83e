"""Objects that come in parts to a folder, each in one file that grows, and who may write now.

How long the file is says where the next part begins, so that nothing has to be remembered that a
killed server could forget.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from modelwright.storage.disk_trash import prune
from modelwright.storage.disk_writing import OpenFile
from modelwright.storage.domain import PART_BYTES, ByteRange, parts_of, split
from modelwright.storage.errors import (
    AlreadyArriving,
    DigestWrong,
    PartMisplaced,
    PartsMissing,
    full_is_unavailable,
)

PARTS = ".parts"
LOCKS = ".locks"


class DiskPartWriter(OpenFile):
    """The next bytes of an object; what was written stays, also without `commit`."""

    def __init__(self, path: Path, start: int) -> None:
        with full_is_unavailable():
            path.parent.mkdir(parents=True, exist_ok=True)
        super().__init__(path, "ab")
        have = self._file.tell()
        if have != start:
            self._file.close()
            raise PartMisplaced(start, have)

    def commit(self) -> None:
        """Makes sure of what was written."""
        with full_is_unavailable():
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Keeps what was written."""
        self._file.close()


class DiskParts:
    """Files that grow, beside the objects of a folder; several processes may use them."""

    def __init__(self, folder: Path) -> None:
        self._parts = folder / PARTS
        self._locks = folder / LOCKS

    @contextmanager
    def lock(self, key: str) -> Iterator[None]:
        """Holds a key against every other writer, of any process; refuses where one holds it."""
        path = self._locks / ",".join(parts_of(key))
        file = _locked(path)
        if file is None:
            raise AlreadyArriving(key)
        with file:
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def writer(self, key: str, start: int) -> DiskPartWriter:
        """Goes on with an object at a byte; refuses one that is not the next."""
        return DiskPartWriter(self._path(key), start)

    def missing(self, key: str, size: int) -> list[ByteRange]:
        """Lists what has not come of an object of a size, in parts."""
        return split(min(self._length(key), size), size, PART_BYTES)

    @contextmanager
    def joined(self, key: str, size: int, sha256: str | None) -> Iterator[tuple[Path, str]]:
        """Lends the file with its digest once all has come; another digest has it sent anew."""
        with self.lock(key):
            path = self._path(key)
            if missing := self.missing(key, size):
                raise PartsMissing(missing)
            with full_is_unavailable():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                os.fsync(file.fileno())
            if sha256 is not None and sha256 != digest:
                self.drop(key)
                raise DigestWrong(sha256, digest)
            yield path, digest
            prune(path.parent, self._parts)

    def drop(self, prefix: str) -> None:
        """Removes what has come of the objects under a prefix, or of one object."""
        path = self._path(prefix)
        for file in [path, *path.rglob("*")]:
            if file.is_file():
                file.unlink(missing_ok=True)
                prune(file.parent, self._parts)

    def drop_locks(self, before: datetime) -> None:
        """Removes what is left of locks whose holders died."""
        for path in self._locks.iterdir() if self._locks.is_dir() else ():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime >= before.timestamp():
                    continue
                file = _locked(path)
                if file is not None:
                    path.unlink(missing_ok=True)
                    file.close()

    def _length(self, key: str) -> int:
        try:
            return self._path(key).stat().st_size
        except FileNotFoundError:
            return 0

    def _path(self, key: str) -> Path:
        return self._parts.joinpath(*parts_of(key))


def _locked(path: Path) -> BinaryIO | None:
    """Opens a lock's file and locks it; None where another has.

    One that its holder removed meanwhile locks nothing any more, and is opened anew.
    """
    while True:
        with full_is_unavailable():
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()
