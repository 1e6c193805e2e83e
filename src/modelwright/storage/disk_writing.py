"""A file of a disk that is being written, and what happens when the disk is full."""

import shutil
from io import FileIO
from pathlib import Path

from modelwright.storage.errors import full_is_unavailable
from modelwright.storage.object_store import ObjectWriter
from modelwright.system.file_data import sync_data

SYNC_BYTES = 8 << 20
"""Bytes after which a file is brought to the disk: whoever syncs a small file next waits for the
large ones of others, and so waits for no more than this of each."""


class OpenFile(ObjectWriter):
    """A file that takes bytes until its block ends."""

    def __init__(self, path: Path, mode: str) -> None:
        self._unsynced = 0
        with full_is_unavailable():
            self._file = FileIO(path, mode)

    def write(self, piece: bytes) -> None:
        """Adds bytes; refuses when the disk is full."""
        left = memoryview(piece)
        with full_is_unavailable():
            while left:
                left = left[self._file.write(left) :]
            self._unsynced += len(piece)
            if self._unsynced >= SYNC_BYTES:
                sync_data(self._file.fileno())
                self._unsynced = 0


def remove(path: Path) -> None:
    """Removes a file, or a folder with all that is in it; what is not there is removed already."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
