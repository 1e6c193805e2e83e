"""The twin of an object store that lives in memory, for tests."""

import hashlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path

from modelwright.core.clock import SystemClock
from modelwright.storage.domain import PART_BYTES, PIECE_BYTES, ByteRange, is_under, parts_of, split
from modelwright.storage.errors import (
    AlreadyArriving,
    DigestWrong,
    ObjectMissing,
    ObjectSealed,
    PartMisplaced,
    PartsMissing,
)
from modelwright.storage.object_store import ObjectWriter
from modelwright.storage.url_signer import UrlSigner


class MemoryWriter(ObjectWriter):
    """Bytes on their way."""

    def __init__(self, objects: "MemoryObjectStore", key: str) -> None:
        self._objects = objects
        self._key = key
        self._bytes = bytearray()

    def write(self, piece: bytes) -> None:
        """Adds bytes."""
        self._bytes += piece

    def commit(self) -> None:
        """Makes the object visible; refuses a sealed key."""
        self._objects.place(self._key, bytes(self._bytes))

    def close(self) -> None:
        """Drops what was not committed."""
        self._bytes.clear()


class MemoryPartWriter(ObjectWriter):
    """The next bytes of an object; what was written stays."""

    def __init__(self, parts: bytearray) -> None:
        self._parts = parts

    def write(self, piece: bytes) -> None:
        """Adds bytes."""
        self._parts += piece

    def commit(self) -> None:
        """Finds nothing to make sure of."""

    def close(self) -> None:
        """Keeps what was written."""


class MemoryObjectStore:
    """An object store in a dictionary."""

    def __init__(self, signer: UrlSigner) -> None:
        self._lock = threading.Lock()
        self._clock = SystemClock()
        self._objects: dict[str, bytes] = {}
        self._stored: dict[str, datetime] = {}
        self._trash: dict[tuple[str, date], bytes] = {}
        self._sealed: set[str] = set()
        self._arriving: set[str] = set()
        self._parts: dict[str, bytearray] = {}
        self.sign_put = signer.sign_put
        self.sign_parts = signer.sign_parts
        self.sign_get = signer.sign_get

    def writer(self, key: str) -> MemoryWriter:
        """Starts an object; refuses a sealed key."""
        self._refuse_sealed(_key(key))
        return MemoryWriter(self, key)

    @contextmanager
    def lock(self, key: str) -> Iterator[None]:
        """Holds a key against every other writer; refuses where one holds it."""
        with self._lock:
            if _key(key) in self._arriving:
                raise AlreadyArriving(key)
            self._arriving.add(key)
        try:
            yield
        finally:
            self._arriving.discard(key)

    def part_writer(self, key: str, start: int) -> MemoryPartWriter:
        """Goes on with an object that comes in parts; refuses another place, and a sealed key."""
        self._refuse_sealed(_key(key))
        parts = self._parts.setdefault(key, bytearray())
        if len(parts) != start:
            raise PartMisplaced(start, len(parts))
        return MemoryPartWriter(parts)

    def missing(self, key: str, size: int) -> list[ByteRange]:
        """Lists what has not come of an object of a size; nothing once it is joined."""
        have = len(self._parts.get(_key(key), b""))
        return [] if self.size(key) == size else split(min(have, size), size, PART_BYTES)

    def join_parts(self, key: str, size: int, sha256: str | None) -> str | None:
        """Makes an object of its parts once all have come; tells its digest."""
        if self.size(key) == size:
            return None
        if missing := self.missing(key, size):
            raise PartsMissing(missing)
        content = bytes(self._parts.pop(key, b""))
        digest = hashlib.sha256(content).hexdigest()
        if sha256 not in {None, digest}:
            raise DigestWrong(sha256 or "", digest)
        self.place(key, content)
        return digest

    def drop_parts(self, prefix: str) -> None:
        """Removes what has come of objects under a prefix that were never joined."""
        for key in [key for key in self._parts if is_under(key, {_key(prefix)})]:
            del self._parts[key]

    def put_file(self, key: str, source: Path) -> None:
        """Stores a file's bytes."""
        self.place(_key(key), source.read_bytes())

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Stores a folder's files under a prefix, in place of what was there."""
        files = (path for path in folder.rglob("*") if path.is_file())
        found = {
            _key(f"{prefix}/{path.relative_to(folder).as_posix()}"): path.read_bytes()
            for path in files
        }
        with self._lock:
            self._drop(prefix)
            for key, content in found.items():
                self._keep(key, content)

    def open(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Reads a stretch of an object in pieces; refuses a missing one."""
        stretch = self._read(key)[start:end]
        return (stretch[at : at + PIECE_BYTES] for at in range(0, len(stretch), PIECE_BYTES))

    @contextmanager
    def local(self, key: str, *, is_sampled: bool = False) -> Iterator[Path]:  # noqa: ARG002
        """Lends a copy on disk; refuses a missing object or folder."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "object"
            inner = list(self.keys(key))
            for found in inner or [key]:
                path = copy / found.removeprefix(key).lstrip("/") if inner else copy
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self._read(found))
            yield copy

    def size(self, key: str) -> int | None:
        """Tells an object's bytes, or None where there is none."""
        found = self._objects.get(_key(key))
        return None if found is None else len(found)

    def keys(self, prefix: str) -> Iterator[str]:
        """Lists the keys under a prefix in order."""
        start = _key(prefix) + "/"
        yield from sorted(key for key in self._objects if key.startswith(start))

    def changed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Lists the keys under a prefix, each with the moment it was last stored."""
        yield from ((key, self._stored[key]) for key in self.keys(prefix))

    def is_empty(self) -> bool:
        """Returns whether nothing is stored."""
        return not self._objects

    def discard(self, key: str, now: datetime) -> None:
        """Moves an object to the trash, where no key leads; a missing one is no fault."""
        with self._lock:
            if _key(key) in self._objects:
                self._trash[key, now.date()] = self._objects.pop(key)
                self._sealed.discard(key)

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each key, and the day that its object was discarded."""
        yield from sorted(self._trash)

    def recover(self, key: str, day: date) -> bool:
        """Moves an object back from the trash; tells whether its place was free."""
        with self._lock:
            if key in self._objects or (key, day) not in self._trash:
                return False
            self._keep(key, self._trash.pop((key, day)))
            return True

    def empty_trash(self, before: date) -> int:
        """Removes for good what was discarded before a day; tells how many objects."""
        gone = [place for place in self._trash if place[1] < before]
        for place in gone:
            del self._trash[place]
        return len(gone)

    def comes_past(self, key: str) -> bool:  # noqa: ARG002
        """Finds nothing: all bytes come by this server."""
        return False

    def seal(self, key: str) -> int:
        """Closes an object to every later writer and tells its bytes; refuses a missing one."""
        size = len(self._read(key))
        self._sealed.add(key)
        return size

    def delete(self, key: str) -> None:
        """Removes an object; a missing one is no fault."""
        self._objects.pop(_key(key), None)
        self._sealed.discard(key)

    def delete_all(self, prefix: str) -> None:
        """Removes everything under a prefix."""
        with self._lock:
            self._drop(prefix)

    def drop_abandoned(self, before: datetime) -> None:
        """Finds nothing: what is in memory dies with its writer."""

    def probe(self) -> None:
        """Finds nothing that could fail."""

    def place(self, key: str, found: bytes) -> None:
        """Puts an object in place; refuses a sealed key."""
        with self._lock:
            self._refuse_sealed(key)
            self._keep(key, found)

    def _keep(self, key: str, found: bytes) -> None:
        self._objects[key] = found
        self._stored[key] = self._clock.now()

    def _drop(self, prefix: str) -> None:
        for key in list(self.keys(prefix)):
            self.delete(key)

    def _read(self, key: str) -> bytes:
        try:
            return self._objects[_key(key)]
        except KeyError:
            raise ObjectMissing(key) from None

    def _refuse_sealed(self, key: str) -> None:
        if key in self._sealed:
            raise ObjectSealed(key)


def _key(text: str) -> str:
    return "/".join(parts_of(text))
