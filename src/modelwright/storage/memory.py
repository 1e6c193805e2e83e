"""The twin of an object store that lives in memory, for tests."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from modelwright.core.clock import SystemClock
from modelwright.storage.domain import PIECE_BYTES, parts_of
from modelwright.storage.errors import ObjectMissing, ObjectSealed
from modelwright.storage.url_signer import Signer


class MemoryWriter:
    """Bytes on their way."""

    def __init__(self, objects: "MemoryObjects", key: str) -> None:
        self._objects = objects
        self._key = key
        self._bytes = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, piece: bytes) -> None:
        """Adds bytes."""
        self._bytes += piece

    def commit(self) -> None:
        """Makes the object visible; refuses a sealed key."""
        self._objects.place(self._key, bytes(self._bytes))

    def close(self) -> None:
        """Drops what was not committed."""
        self._bytes.clear()


class MemoryObjects:
    """An object store in a dictionary."""

    def __init__(self, signer: Signer) -> None:
        self._lock = threading.Lock()
        self._clock = SystemClock()
        self._objects: dict[str, bytes] = {}
        self._stored: dict[str, float] = {}
        self._sealed: set[str] = set()
        self.sign_put = signer.sign_put
        self.sign_get = signer.sign_get

    def writer(self, key: str) -> MemoryWriter:
        """Starts an object; refuses a sealed key."""
        self._refuse_sealed(_key(key))
        return MemoryWriter(self, key)

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
    def local(self, key: str) -> Iterator[Path]:
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

    def old(self, prefix: str, before: datetime) -> Iterator[str]:
        """Lists the keys under a prefix that nobody has stored since a moment."""
        stamp = before.timestamp()
        yield from (key for key in self.keys(prefix) if self._stored[key] < stamp)

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
        self._stored[key] = self._clock.now().timestamp()

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
