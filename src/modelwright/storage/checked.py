"""Objects whose bytes are known: the SHA-256 of each is kept when it is stored, and checked.

The digests are objects of the same store, under a prefix of their own, so that backups and moves
take them along. What has none, from earlier programs or straight from a client to a bucket, gets
one when it is first read; what has one and does not match it, or is gone, is refused by name.
"""

import hashlib
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from modelwright.core.errors import ApiError
from modelwright.core.logging import logger
from modelwright.storage.domain import PIECE_BYTES
from modelwright.storage.errors import ObjectDamaged, ObjectLost, ObjectMissing
from modelwright.storage.object_store import ObjectStore, ObjectWriter

DIGESTS = "digests"
DAMAGED = "damaged"
"""Under it lies a note for each object that was found damaged or lost."""
SMALL_BYTES = 32 * 1024**2
"""An object up to this size is checked wholly even where it is only queried."""
SAMPLED_ONE_IN = 8
"""Of reads of larger ones that are only queried, so many are preceded by a check."""
RANGE_SECONDS = 60.0
"""How long a check is good for reads of later stretches of the same object."""
RANGES_KNOWN = 1024
"""Objects of which it is remembered how far they were checked."""


@dataclass(slots=True)
class Scrub:
    """What reading everything has found."""

    checked: int = 0
    recorded: int = 0
    """How many had no digest, and have one now."""
    damaged: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class CheckedWriter(ObjectWriter):
    """Hashes an object on its way."""

    def __init__(self, inner: ObjectWriter, checked: "CheckedObjects", key: str) -> None:
        self._inner = inner
        self._checked = checked
        self._key = key
        self._hash = hashlib.sha256()

    def write(self, piece: bytes) -> None:
        """Adds bytes; refuses when the storage is full."""
        self._inner.write(piece)
        self._hash.update(piece)

    def commit(self) -> None:
        """Makes the object visible and keeps its digest; refuses a sealed key."""
        self._checked.forget(self._key)
        self._inner.commit()
        self._checked.record(self._key, self._hash.hexdigest())

    def close(self) -> None:
        """Drops what was not committed."""
        self._inner.close()


class CheckedObjects:
    """An object store that knows the bytes of what is in another one."""

    def __init__(self, inner: ObjectStore) -> None:
        self._inner = inner
        self._sure_until: dict[str, float] = {}
        self.keys, self.changed, self.is_empty = inner.keys, inner.changed, inner.is_empty
        self.comes_past, self.probe = inner.comes_past, inner.probe
        self.drop_abandoned = inner.drop_abandoned
        self.sign_put, self.sign_get = inner.sign_put, inner.sign_get
        self.lock, self.part_writer, self.missing = inner.lock, inner.part_writer, inner.missing
        self.sign_parts, self.drop_parts = inner.sign_parts, inner.drop_parts

    def writer(self, key: str) -> CheckedWriter:
        """Starts an object, which replaces the one before it; refuses a sealed key."""
        return CheckedWriter(self._inner.writer(key), self, key)

    def put_file(self, key: str, source: Path) -> None:
        """Stores a file, which is never written to afterwards."""
        digest = _digest_of_file(source)
        self.forget(key)
        self._inner.put_file(key, source)
        self.record(key, digest)

    def join_parts(self, key: str, size: int, sha256: str | None) -> str | None:
        """Makes an object of its parts and keeps its digest where it is known."""
        if self._inner.size(key) == size:
            known = self._digest(key)
            if known is not None or sha256 is None:
                return known
        self.forget(key)
        digest = self._inner.join_parts(key, size, sha256)
        if digest is not None:
            self.record(key, digest)
        return digest

    def seal(self, key: str) -> int:
        """Closes an object to every later writer and tells its bytes; refuses a missing one.

        Bytes that came past this server may have taken the place of those whose digest was told:
        they are hashed when they are first read.
        """
        if self._inner.comes_past(key):
            self.forget(key)
        return self._inner.seal(key)

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Stores a folder's files under a prefix, in place of what was there, all or none."""
        with tempfile.TemporaryDirectory() as digests:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                target = Path(digests, f"{path.relative_to(folder).as_posix()}.sha256")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(_digest_of_file(path), "ascii")
            self._inner.delete_all(f"{DIGESTS}/{prefix}")
            self._inner.put_folder(prefix, folder)
            self._inner.put_folder(f"{DIGESTS}/{prefix}", Path(digests))

    def open(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Reads the bytes from `start` up to, not including, `end`, once the whole was checked.

        Refuses a missing object, and one that is damaged.
        """
        if start == 0 or self._sure_until.get(key, 0.0) < time.monotonic():
            self._check(key)
            if len(self._sure_until) >= RANGES_KNOWN:
                self._sure_until.clear()
            self._sure_until[key] = time.monotonic() + RANGE_SECONDS
        return self._inner.open(key, start, end)

    @contextmanager
    def local(self, key: str, *, is_sampled: bool = False) -> Iterator[Path]:
        """Lends the object, or the folder of a prefix, as a path to read, once it was checked.

        Where it is only queried, large ones are checked now and then, and when reading fails.
        Refuses a missing one, and one that is damaged.
        """
        with self._lent(key) as path:
            if not is_sampled or _is_sampled(path):
                self._check_path(key, path)
            try:
                yield path
            except (OSError, ValueError, RuntimeError):  # what reading damaged bytes raises
                self._check_path(key, path)
                raise

    def size(self, key: str) -> int | None:
        """Tells an object's bytes, or None where there is none; refuses one that was lost."""
        size = self._inner.size(key)
        if size is None and self._digest(key) is not None:
            raise self._noted(ObjectLost(key))
        return size

    def delete(self, key: str) -> None:
        """Removes an object; a missing one is no fault."""
        self.forget(key)
        self._inner.delete(key)

    def delete_all(self, prefix: str) -> None:
        """Removes everything under a prefix."""
        self._inner.delete_all(f"{DIGESTS}/{prefix}")
        self._inner.delete_all(prefix)

    def discard(self, key: str, now: datetime) -> None:
        """Moves an object to the trash, with its digest."""
        self._inner.discard(_digest_key(key), now)
        self._inner.discard(key, now)

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each key, and the day that its object was discarded."""
        for key, day in self._inner.discarded():
            if not key.startswith(f"{DIGESTS}/"):
                yield key, day

    def recover(self, key: str, day: date) -> bool:
        """Moves an object and its digest back from the trash; tells whether its place was free."""
        if not self._inner.recover(key, day):
            return False
        self._inner.recover(_digest_key(key), day)
        return True

    def empty_trash(self, before: date) -> int:
        """Removes for good what was discarded before a day; tells how many objects."""
        count = sum(day < before for _, day in self.discarded())
        self._inner.empty_trash(before)
        return count

    def make_sure(self) -> None:
        """Refuses while something is known to be damaged or lost."""
        if found := self.damaged():
            raise ObjectDamaged(found[0])

    def damaged(self) -> list[str]:
        """Lists the objects that were found damaged or lost."""
        return [key.removeprefix(f"{DAMAGED}/") for key in self._inner.keys(DAMAGED)]

    def scrub(self, prefixes: Iterable[str]) -> Scrub:
        """Reads all that is stored under some prefixes, and notes what is damaged or lost."""
        found = Scrub()
        for key in self._inner.keys(DAMAGED):
            self._inner.delete(key)
        for prefix in prefixes:
            for key in self._inner.keys(prefix):
                self._scrub(key, found)
            for digest in self._inner.keys(f"{DIGESTS}/{prefix}"):
                key = _key_of(digest)
                if self._inner.size(key) is None:
                    self._noted(ObjectLost(key))
                    found.lost.append(key)
        return found

    def forget(self, key: str) -> None:
        """Removes an object's digest, before the object itself changes."""
        self._inner.delete(_digest_key(key))

    def record(self, key: str, digest: str) -> None:
        """Keeps an object's digest."""
        with self._inner.writer(_digest_key(key)) as writer:
            writer.write(digest.encode())
            writer.commit()

    def _scrub(self, key: str, found: Scrub) -> None:
        expected = self._digest(key)
        try:
            digest = _digest_of(self._inner.open(key))
        except ObjectMissing:  # deleted meanwhile
            return
        found.checked += 1
        if expected is None:
            self.record(key, digest)
            found.recorded += 1
        elif digest != expected:
            self._noted(ObjectDamaged(key))
            found.damaged.append(key)

    @contextmanager
    def _lent(self, key: str) -> Iterator[Path]:
        with ExitStack() as stack:
            try:
                path = stack.enter_context(self._inner.local(key))
            except ObjectMissing:
                if self._digest(key) is None and not any(self._inner.keys(f"{DIGESTS}/{key}")):
                    raise
                raise self._noted(ObjectLost(key)) from None
            yield path

    def _check(self, key: str) -> None:
        expected = self._digest(key)
        if expected is None:
            return
        try:
            digest = _digest_of(self._inner.open(key))
        except ObjectMissing:
            raise self._noted(ObjectLost(key)) from None
        if digest != expected:
            raise self._noted(ObjectDamaged(key))

    def _check_path(self, key: str, path: Path) -> None:
        if not path.is_dir():
            self._check_file(key, path)
            return
        files = {
            f"{key}/{one.relative_to(path).as_posix()}": one
            for one in path.rglob("*")
            if one.is_file()
        }
        for name in map(_key_of, self._inner.keys(f"{DIGESTS}/{key}")):
            if name not in files:
                raise self._noted(ObjectLost(name))
        for name, one in files.items():
            self._check_file(name, one)

    def _check_file(self, key: str, path: Path) -> None:
        digest, expected = _digest_of_file(path), self._digest(key)
        if expected is None:
            self.record(key, digest)
        elif digest != expected:
            raise self._noted(ObjectDamaged(key))

    def _digest(self, key: str) -> str | None:
        try:
            return b"".join(self._inner.open(_digest_key(key))).decode("ascii", "replace")
        except ObjectMissing:
            return None

    def _noted(self, refusal: ObjectDamaged | ObjectLost) -> ObjectDamaged | ObjectLost:
        """Leaves a note for health and the doctor, where one can be left."""
        logger().error("storage.damaged", key=refusal.key, why=refusal.message)
        try:
            with self._inner.writer(f"{DAMAGED}/{refusal.key}") as writer:
                writer.commit()
        except (OSError, ValueError, ApiError):
            logger().warning("storage.damage_not_noted", key=refusal.key, exc_info=True)
        return refusal


def _digest_key(key: str) -> str:
    return f"{DIGESTS}/{key}.sha256"


def _key_of(digest: str) -> str:
    return digest.removeprefix(f"{DIGESTS}/").removesuffix(".sha256")


def _digest_of(pieces: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for piece in pieces:
        found.update(piece)
    return found.hexdigest()


def _digest_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return _digest_of(iter(lambda: file.read(PIECE_BYTES), b""))


def _is_sampled(path: Path) -> bool:
    is_small = path.is_dir() or path.stat().st_size <= SMALL_BYTES
    return is_small or random.randrange(SAMPLED_ONE_IN) == 0  # noqa: S311 - a sample, no secret
