"""Locks between the processes on one data folder; the kernel frees them when their holder dies.

It does not when the holder only stops, so a lock that somebody must hold can be taken from a
silent holder: its file is replaced by another one, which the former holder notices.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from modelwright.core.ids import new_id
from modelwright.core.logging import logger

WAIT_SECONDS = 0.2
"""How often a taken lock is tried again."""


@contextmanager
def file_lock(path: Path, pause: Callable[[float], object]) -> Iterator[IO[str] | None]:
    """Holds the lock file, opened for reading and appending; waits for it as long as need be.

    Between tries `pause` is called with seconds; when it returns something true, None is held.
    """
    with path.open("a+", encoding="ascii") as file:
        is_told = False
        while not _locked(file):
            if not is_told:
                logger().warning("lock.awaited", lock=path.name, why="another process holds it")
                is_told = True
            if pause(WAIT_SECONDS):
                yield None
                return
        yield file


class LivingLock:
    """A lock file in hand, whose time of change says that its holder lives."""

    def __init__(self, path: Path, file: IO[str]) -> None:
        self._path = path
        self.file = file

    def keep(self) -> bool:
        """Gives a sign of life; says whether the lock is still this holder's."""
        os.utime(self.file.fileno())
        return _is_at(self._path, self.file)


@contextmanager
def living_lock(
    path: Path, pause: Callable[[float], object], silent_seconds: float
) -> Iterator[LivingLock | None]:
    """Holds the lock file; waits for it until its holder ends or has been silent for so long.

    Between tries `pause` is called with seconds; when it returns something true, None is held. The
    holder calls `keep` far more often than `silent_seconds`, and ends its work when that says no.
    """
    is_told, seen, silent = False, 0, 0.0
    while (file := _try_lock(path)) is None:
        if not is_told:
            logger().warning("lock.awaited", lock=path.name, why="another process holds it")
            is_told = True
        changed = _changed_at(path)
        # Counted by own waits: while this process was stopped, nobody was silent.
        silent = silent + WAIT_SECONDS if changed == seen else 0.0
        seen = changed
        if silent > silent_seconds:
            logger().error("lock.taken_over", lock=path.name, silent_seconds=round(silent, 1))
            file = _replace(path)
            break
        if pause(WAIT_SECONDS):
            yield None
            return
    with file:
        yield LivingLock(path, file)


def _try_lock(path: Path) -> IO[str] | None:
    """Opens and locks the file, unless somebody else holds it or has just replaced it."""
    file = path.open("a+", encoding="ascii")
    if _locked(file) and _is_at(path, file):
        return file
    file.close()
    return None


def _replace(path: Path) -> IO[str]:
    own = path.with_name(f"{path.name}.{new_id('lock')}")
    file = own.open("a+", encoding="ascii")
    _locked(file)
    own.replace(path)
    return file


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _is_at(path: Path, file: IO[str]) -> bool:
    """Returns whether the path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
