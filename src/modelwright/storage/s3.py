"""Objects in a bucket of S3, or of a storage that speaks like it, under their keys as they are.

Two more objects may lie beside one, under names that no key has. What a signed address takes
arrives there, and is copied to its key when it is sealed: S3 cannot refuse who still has the
address, but what comes late is in nobody's way. The other says that a key is sealed.
Parts of an object that the server itself puts and never finishes are the bucket's own to remove, by
a rule of its own; those that a client sends are removed with their upload.
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from modelwright.core.clock import Clock
from modelwright.storage.domain import PIECE_BYTES, PROBES, ByteRange, parts_of
from modelwright.storage.errors import (
    AddressRefused,
    DigestWrong,
    ObjectMissing,
    ObjectSealed,
    full_is_unavailable,
)
from modelwright.storage.local_cache import LocalCache
from modelwright.storage.object_store import ObjectWriter
from modelwright.storage.s3_bucket import S3Bucket
from modelwright.storage.s3_multipart import S3Multipart
from modelwright.storage.s3_signing import Bucket, S3Signer
from modelwright.storage.s3_trash import S3Trash

if TYPE_CHECKING:
    from obstore import ObjectMeta

ARRIVING = "-arriving."
"""Stands in the name of the object that says that a file is arriving."""
SEALED = "-sealed."
"""Stands in the name of the object that says that a file is complete."""


class S3Writer(ObjectWriter):
    """Bytes on their way; they wait in a local file until `commit`."""

    def __init__(self, objects: "S3ObjectStore", key: str, copies: LocalCache) -> None:
        self._objects = objects
        self._key = key
        self._stack = ExitStack()
        self._draft = self._stack.enter_context(copies.lent())
        self._file = self._stack.enter_context(self._draft.open("xb"))

    def write(self, piece: bytes) -> None:
        """Adds bytes; refuses when the local disk is full."""
        with full_is_unavailable():
            self._file.write(piece)

    def commit(self) -> None:
        """Stores the object; refuses a sealed key."""
        with full_is_unavailable():
            self._file.flush()
        self._objects.put_file(self._key, self._draft)

    def close(self) -> None:
        """Drops what was not committed."""
        self._stack.close()


class S3ObjectStore:
    """An object store in a bucket, which servers on any number of machines may share."""

    def __init__(self, bucket: Bucket, copies: LocalCache, clock: Clock) -> None:
        self._bucket = S3Bucket(bucket)
        self._copies = copies
        self._signer = S3Signer(bucket, clock)
        self.sign_get = self._signer.sign_get
        self._multipart = S3Multipart(self._signer, clock)
        self._trash = S3Trash(self._bucket)
        self.empty_trash = self._trash.empty_trash

    def sign_put(self, key: str, *, max_bytes: int, expires: datetime, base_url: str) -> str:
        """Makes an address that takes one object, to be sealed, of exactly so many bytes."""
        place = _beside(ARRIVING, key)
        return self._signer.sign_put(place, max_bytes=max_bytes, expires=expires, base_url=base_url)

    @contextmanager
    def lock(self, key: str) -> Iterator[None]:  # noqa: ARG002
        """Holds nothing: what is sent comes to the bucket itself, and each part is whole there."""
        yield

    def part_writer(self, key: str, start: int) -> S3Writer:
        """Refuses: parts come to the bucket itself."""
        del start
        raise AddressRefused(f"The parts of {key} go to the bucket, by addresses of its own.")

    def missing(self, key: str, size: int) -> list[ByteRange]:
        """Lists the parts that have not come of an object of a size; nothing once it is joined."""
        if self.size(key) == size:
            return []
        return self._multipart.missing(_beside(ARRIVING, key), size)

    def sign_parts(
        self, key: str, parts: Sequence[ByteRange], *, expires: datetime, base_url: str
    ) -> list[str]:
        """Makes the address of each of some parts that are missing, of exactly its bytes."""
        del base_url
        parts_of(key)
        return self._multipart.sign(_beside(ARRIVING, key), parts, expires) if parts else []

    def join_parts(self, key: str, size: int, sha256: str | None) -> str | None:
        """Makes an object of its parts once all have come; reads it where its digest is told.

        Refuses one of which parts are missing, and one of another digest, which is dropped.
        """
        arriving = _beside(ARRIVING, key)
        if self.size(key) != size:
            self._multipart.complete(arriving, size)
        if sha256 is None:
            return None
        found = hashlib.sha256()
        for piece in self.open(key):
            found.update(piece)
        digest = found.hexdigest()
        if digest != sha256:
            self._bucket.delete([arriving])
            raise DigestWrong(sha256, digest)
        return digest

    def drop_parts(self, prefix: str) -> None:
        """Removes what has come of objects under a prefix that were never joined."""
        parts_of(prefix)
        self._multipart.abort(f"{prefix}/")

    def writer(self, key: str) -> S3Writer:
        """Starts an object; refuses a sealed key."""
        self._refuse_sealed(key)
        return S3Writer(self, key, self._copies)

    def put_file(self, key: str, source: Path) -> None:
        """Stores a file; refuses a sealed key."""
        self._refuse_sealed(key)
        self._bucket.put(key, source)

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Stores a folder's files under a prefix, then removes what else was there."""
        parts_of(prefix)
        files = {
            f"{prefix}/{path.relative_to(folder).as_posix()}": path
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        for key in files:
            parts_of(key)
        before = [meta["path"] for meta in self._bucket.list(prefix)]
        try:
            for key, path in files.items():
                self._bucket.put(key, path)
        except BaseException:
            self._bucket.delete([key for key in files if key not in before])
            raise
        self._bucket.delete([path for path in before if path not in files])

    def open(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Reads a stretch of an object in pieces; refuses a missing one."""
        meta = self._find(key)
        if meta is None:
            raise ObjectMissing(key)
        end = min(meta["size"], meta["size"] if end is None else end)
        if start >= end:
            return iter(())
        found = self._bucket.get(meta["path"], {"range": (start, end)})
        return map(bytes, self._bucket.pieces(key, found, PIECE_BYTES))

    @contextmanager
    def local(self, key: str, *, is_sampled: bool = False) -> Iterator[Path]:  # noqa: ARG002
        """Lends a copy of the object or folder; refuses a missing one."""
        with self._copies.lent() as path:
            meta = self._find(key)
            if meta is not None:
                self._fetch(meta, path)
            else:
                found = self._bucket.list(key)
                if not found:
                    raise ObjectMissing(key)
                for one in found:
                    self._fetch(one, path / one["path"].removeprefix(f"{key}/"))
            yield path

    def size(self, key: str) -> int | None:
        """Tells an object's bytes, or None where there is none."""
        meta = self._find(key)
        return None if meta is None else meta["size"]

    def keys(self, prefix: str) -> Iterator[str]:
        """Lists the keys under a prefix in order."""
        found = self._listed(prefix)
        yield from sorted(key for key, names in found.items() if names.keys() != {SEALED})

    def changed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Lists the keys under a prefix, each with the moment it was last stored or sealed."""
        for key, names in self._listed(prefix).items():
            yield key, max(meta["last_modified"] for meta in names.values())

    def is_empty(self) -> bool:
        """Returns whether nothing is stored, besides what `probe` may have left behind."""
        return all(path.startswith(f"{PROBES}/") for path in self._bucket.paths())

    def comes_past(self, key: str) -> bool:
        """Tells whether an object waits to be sealed that a client sent to the bucket itself."""
        parts_of(key)
        return self._bucket.head(_beside(ARRIVING, key)) is not None

    def seal(self, key: str) -> int:
        """Takes what has arrived, closes the key and tells its bytes; refuses a missing object."""
        parts_of(key)
        arriving = _beside(ARRIVING, key)
        has_arrived = self._bucket.head(arriving) is not None  # refused soon where it is away
        if has_arrived:
            with suppress(ObjectMissing):  # somebody else has just sealed it
                self._bucket.copy(arriving, key)
        meta = self._bucket.head(key)
        if meta is None:
            raise ObjectMissing(key)
        self._bucket.put(_beside(SEALED, key), b"")
        self._bucket.delete([arriving] if has_arrived else [])
        return meta["size"]

    def delete(self, key: str) -> None:
        """Removes an object; a missing one is no fault."""
        self._bucket.delete(_all_of(key))

    def delete_all(self, prefix: str) -> None:
        """Removes everything under a prefix."""
        parts_of(prefix)
        self._bucket.delete([meta["path"] for meta in self._bucket.list(prefix)])

    def discard(self, key: str, now: datetime) -> None:
        """Moves an object to the trash, where no key leads; a missing one is no fault."""
        self._trash.discard(_all_of(key), now.date())

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each key, and the day that its object was discarded."""
        found = {(_key_of(path)[0], day) for path, day in self._trash.discarded()}
        yield from sorted(found)

    def recover(self, key: str, day: date) -> bool:
        """Moves an object back from the trash; tells whether its place was free."""
        if self._bucket.head(key) is not None:
            return False
        return self._trash.recover(_all_of(key), day)

    def drop_abandoned(self, before: datetime) -> None:
        """Finds nothing: what writers leave behind is local, and goes with the next process."""

    def probe(self) -> None:
        """Writes, reads and removes an object of its own; refuses when that fails."""
        key = f"{PROBES}/{secrets.token_hex(8)}"
        self._bucket.put(key, b"1")
        if not self._bucket.head(key):
            raise ObjectMissing(key)
        self._bucket.delete([key])

    def _find(self, key: str) -> "ObjectMeta | None":
        parts_of(key)
        return self._bucket.head(key) or self._bucket.head(_beside(ARRIVING, key))

    def _fetch(self, meta: "ObjectMeta", target: Path) -> None:
        if not self._copies.link(_identity(meta), target):
            path = meta["path"]
            found = self._bucket.get(path)
            pieces = self._bucket.pieces(path, found, PIECE_BYTES)
            self._copies.keep(_identity(found.meta), target, pieces)

    def _listed(self, prefix: str) -> "dict[str, dict[str, ObjectMeta]]":
        """Lists what lies under each key: the object itself, and those beside it by their mark."""
        parts_of(prefix)
        found: dict[str, dict[str, ObjectMeta]] = {}
        for meta in self._bucket.list(prefix):
            key, mark = _key_of(meta["path"])
            found.setdefault(key, {})[mark] = meta
        return found

    def _refuse_sealed(self, key: str) -> None:
        parts_of(key)
        if self._bucket.head(_beside(SEALED, key)) is not None:
            raise ObjectSealed(key)


def _beside(mark: str, key: str) -> str:
    folder, slash, name = key.rpartition("/")
    return f"{folder}{slash}{mark}{name}"


def _all_of(key: str) -> list[str]:
    """Names where all that belongs to a key may lie."""
    parts_of(key)
    return [key, _beside(ARRIVING, key), _beside(SEALED, key)]


def _key_of(path: str) -> tuple[str, str]:
    """Tells the key that something belongs to, and the mark by which it lies beside it."""
    folder, _, name = path.rpartition("/")
    mark = next((mark for mark in (ARRIVING, SEALED) if name.startswith(mark)), "")
    return f"{folder}/{name.removeprefix(mark)}", mark


def _identity(meta: "ObjectMeta") -> str:
    return f"{meta['path']} {meta['size']} {meta['e_tag'] or meta['last_modified']}"
