"""Locks between the processes on one data folder; the kernel frees them when their holder dies."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from modelwright.core.logging import logger

WAIT_SECONDS = 0.2


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


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
