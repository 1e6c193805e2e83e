"""Local copies of objects that lie elsewhere: a bounded folder of them, lent out by hard links.

A copy that yields to newer ones stays on disk for as long as somebody has it lent; a process that
was killed gives its loans back when the next one begins.
"""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from modelwright.storage.disk_writing import remove
from modelwright.storage.errors import full_is_unavailable


class LocalCache:
    """The copies in one folder, of which several processes may use the same."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._kept = folder / "kept"
        self._lent = folder / "lent"
        self._most = most_bytes
        self._lock = Lock()
        self._own: Path | None = None
        for loans in self._lent.glob("[!.]*/"):
            _return_dead(loans)

    @contextmanager
    def lent(self) -> Iterator[Path]:
        """Lends a path of its own, where nothing is yet; what is put there is removed after."""
        path = self._loans() / secrets.token_hex(8)
        try:
            yield path
        finally:
            remove(path)

    def link(self, identity: str, target: Path) -> bool:
        """Puts the copy of an object, of just these bytes, in place; says whether there is one."""
        kept = self._place(identity)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.utime(kept)
            _link(kept, target)
        except FileNotFoundError:
            return False
        return True

    def keep(self, identity: str, target: Path, pieces: Iterable[memoryview]) -> None:
        """Writes an object's bytes in place and keeps them for the next; refuses a full disk."""
        with self.lent() as draft, full_is_unavailable():
            with draft.open("xb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            _link(draft, target)
            draft.replace(self._place(identity))
        self._yield()

    def _loans(self) -> Path:
        """Makes this process's folder of loans, locked from the first until the process ends."""
        with self._lock:
            if self._own is None:
                for folder in (self._kept, self._lent):
                    folder.mkdir(parents=True, exist_ok=True)
                name = secrets.token_hex(8)
                draft = self._lent / f".{name}"
                draft.mkdir()
                fcntl.flock(os.open(draft, os.O_RDONLY), fcntl.LOCK_EX)
                self._own = draft.rename(self._lent / name)
            return self._own

    def _place(self, identity: str) -> Path:
        return self._kept / sha256(identity.encode()).hexdigest()

    def _yield(self) -> None:
        """Removes the copies that were used longest ago, until the others are few enough."""
        found = []
        for path in self._kept.iterdir():
            with suppress(FileNotFoundError):
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= size


def _return_dead(loans: Path) -> None:
    """Removes the loans of a process that is no more."""
    with suppress(FileNotFoundError):
        folder = os.open(loans, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(loans)
        except BlockingIOError:
            return
        finally:
            os.close(folder)


def _link(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        shutil.copyfile(source, target)
