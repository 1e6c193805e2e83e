"""Objects as files in one folder: written beside, synced, then renamed into place."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from modelwright.core.file_sync import sync
from modelwright.storage.disk_parts import LOCKS, PARTS, DiskParts, DiskPartWriter
from modelwright.storage.disk_trash import DiskTrash, prune
from modelwright.storage.disk_writing import OpenFile, remove
from modelwright.storage.domain import PIECE_BYTES, PROBES, ByteRange, parts_of
from modelwright.storage.errors import ObjectMissing, ObjectSealed, full_is_unavailable
from modelwright.storage.url_signer import UrlSigner

DRAFTS = ".drafts"
SEALED_MODE = 0o400
"""The rights that mark a sealed object, also where they bind nobody."""


class DiskWriter(OpenFile):
    """A file on its way; other processes do not see it before `commit`."""

    def __init__(self, objects: "DiskObjectStore", key: str) -> None:
        self._objects = objects
        self._key = key
        self._draft = objects.draft()
        super().__init__(self._draft, "xb")

    def commit(self) -> None:
        """Syncs the file and renames it into place; refuses a sealed key."""
        with full_is_unavailable():
            os.fsync(self._file.fileno())
            self._file.close()
            self._objects.place(self._draft, self._key)

    def close(self) -> None:
        """Drops what was not committed."""
        self._file.close()
        self._draft.unlink(missing_ok=True)


class DiskObjectStore:
    """An object store in a folder; several processes may use it at the same time."""

    def __init__(self, folder: Path, signer: UrlSigner) -> None:
        self._folder = folder
        self._drafts = folder / DRAFTS
        self._drafts.mkdir(parents=True, exist_ok=True)
        trash = DiskTrash(folder, self._alone)
        self.discard, self.discarded = trash.discard, trash.discarded
        self.recover, self.empty_trash = trash.recover, trash.empty_trash
        self._parts = DiskParts(folder)
        self.lock, self.drop_parts = self._parts.lock, self._parts.drop
        self.sign_put = signer.sign_put
        self.sign_parts = signer.sign_parts
        self.sign_get = signer.sign_get

    def writer(self, key: str) -> DiskWriter:
        """Starts an object; refuses a sealed key."""
        _refuse_sealed(self._path(key), key)
        return DiskWriter(self, key)

    def part_writer(self, key: str, start: int) -> DiskPartWriter:
        """Goes on with an object that comes in parts; refuses another place, and a sealed key."""
        _refuse_sealed(self._path(key), key)
        return self._parts.writer(key, start)

    def missing(self, key: str, size: int) -> list[ByteRange]:
        """Lists what has not come of an object of a size; nothing once it is joined."""
        return [] if self.size(key) == size else self._parts.missing(key, size)

    def join_parts(self, key: str, size: int, sha256: str | None) -> str | None:
        """Renames an object into place once all of it has come; tells its digest.

        Refuses one of which bytes are missing, and one of another digest, which is dropped.
        """
        if self.size(key) == size:
            return None
        with self._parts.joined(key, size, sha256) as (path, digest), full_is_unavailable():
            self.place(path, key)
        return digest

    def put_file(self, key: str, source: Path) -> None:
        """Stores a file, by a second link to it where the file system allows."""
        draft = self.draft()
        try:
            with full_is_unavailable():
                _link_or_copy(source, draft)
                self.place(draft, key)
        finally:
            draft.unlink(missing_ok=True)

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Stores a folder's files under a prefix, in place of what was there, all or none."""
        target, draft = self._path(prefix), self.draft()
        try:
            with full_is_unavailable():
                _copy(folder, draft)
                with self._alone():
                    self._move_away(target)
                    _rename(draft, target)
                self._sync_names(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def open(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Reads a stretch of an object in pieces; refuses a missing one."""
        try:
            file = self._path(key).open("rb")
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise ObjectMissing(key) from None
        return _pieces(file, start, end)

    @contextmanager
    def local(self, key: str, *, is_sampled: bool = False) -> Iterator[Path]:  # noqa: ARG002
        """Lends the very file or folder; refuses a missing one."""
        path = self._path(key)
        if not path.exists():
            raise ObjectMissing(key)
        yield path

    def size(self, key: str) -> int | None:
        """Tells an object's bytes, or None where there is none."""
        path = self._path(key)
        return path.stat().st_size if path.is_file() else None

    def keys(self, prefix: str) -> Iterator[str]:
        """Lists the keys under a prefix in order."""
        walk = os.walk(self._path(prefix))  # folders that vanish meanwhile are no fault here
        files = (Path(folder, name) for folder, _, names in walk for name in names)
        yield from sorted(path.relative_to(self._folder).as_posix() for path in files)

    def changed(self, prefix: str) -> Iterator[tuple[str, datetime]]:
        """Lists the keys under a prefix, each with the moment it was last stored or sealed.

        Goes by the change of the file's entry: a file that was linked here kept its older times.
        """
        for key in self.keys(prefix):
            with suppress(FileNotFoundError):
                changed = self._path(key).stat().st_ctime
                yield key, datetime.fromtimestamp(changed, UTC)

    def is_empty(self) -> bool:
        """Returns whether nothing is stored, besides drafts, locks and what `probe` left behind."""
        for folder, _, names in os.walk(self._folder):
            parts = Path(folder).relative_to(self._folder).parts
            if names and parts and parts[0] not in {DRAFTS, PROBES, PARTS, LOCKS}:
                return False
        return True

    def comes_past(self, key: str) -> bool:  # noqa: ARG002
        """Finds nothing: all bytes come by this server."""
        return False

    def seal(self, key: str) -> int:
        """Closes an object to every later writer and tells its bytes; refuses a missing one."""
        path = self._path(key)
        with self._alone():
            if not path.is_file():
                raise ObjectMissing(key)
            path.chmod(SEALED_MODE)
            return path.stat().st_size

    def delete(self, key: str) -> None:
        """Removes an object; a missing one is no fault."""
        path = self._path(key)
        with self._alone():
            path.unlink(missing_ok=True)
            prune(path.parent, self._folder)

    def delete_all(self, prefix: str) -> None:
        """Removes everything under a prefix, at once for every reader."""
        path = self._path(prefix)
        with self._alone():
            gone = self._move_away(path)
            prune(path.parent, self._folder)
        if gone:
            remove(gone)

    def drop_abandoned(self, before: datetime) -> None:
        """Removes drafts and locks that nobody has written to since a moment."""
        self._parts.drop_locks(before)
        for draft in self._drafts.iterdir():
            with suppress(FileNotFoundError):
                touched = max(path.stat().st_mtime for path in (draft, *draft.rglob("*")))
                if touched >= before.timestamp():
                    continue
                remove(draft)

    def probe(self) -> None:
        """Writes, reads and removes an object of its own; refuses when that fails."""
        key = f"{PROBES}/{secrets.token_hex(8)}"
        with self.writer(key) as writer:
            writer.write(b"1")
            writer.commit()
        for _ in self.open(key):
            pass
        self.delete(key)

    def draft(self) -> Path:
        """Names a new path on the same file system that nobody reads."""
        return self._drafts / secrets.token_hex(16)

    def place(self, draft: Path, key: str) -> None:
        """Renames a finished file into place; refuses a sealed key."""
        path = self._path(key)
        with self._alone():
            _refuse_sealed(path, key)
            _rename(draft, path)
        self._sync_names(path)

    def _sync_names(self, path: Path) -> None:
        """Syncs every folder on the way to a path, while nobody waits for the lock.

        Whoever made one of them may not have synced it yet. A folder that is gone again had its
        object removed meanwhile.
        """
        depth = len(path.relative_to(self._folder).parts)
        for folder in list(path.parents)[:depth]:
            with suppress(FileNotFoundError):
                sync(folder)

    def _move_away(self, folder: Path) -> Path | None:
        gone = self.draft()
        try:
            return folder.replace(gone)
        except FileNotFoundError:
            return None

    def _path(self, key: str) -> Path:
        return self._folder.joinpath(*parts_of(key))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Holds back every other process that changes names in the folder."""
        with (self._folder / ".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _refuse_sealed(path: Path, key: str) -> None:
    with suppress(FileNotFoundError):
        if path.stat().st_mode & 0o777 == SEALED_MODE:
            raise ObjectSealed(key)


def _pieces(file: BinaryIO, start: int, end: int | None) -> Iterator[bytes]:
    with file:
        file.seek(start)
        left = None if end is None else end - start
        while piece := file.read(PIECE_BYTES if left is None else min(PIECE_BYTES, left)):
            yield piece
            left = None if left is None else left - len(piece)


def _copy(folder: Path, draft: Path) -> None:
    draft.mkdir()
    for source in sorted(folder.rglob("*")):
        target = draft / source.relative_to(folder)
        if source.is_dir():
            target.mkdir()
        else:
            _link_or_copy(source, target)
    for made in (draft, *(path for path in draft.rglob("*") if path.is_dir())):
        sync(made)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)
    sync(target)


def _rename(draft: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft.replace(path)
