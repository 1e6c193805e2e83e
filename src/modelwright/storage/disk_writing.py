"""A file of a disk that is being written, and what happens when the disk is full."""

from abc import ABC, abstractmethod
from io import FileIO
from pathlib import Path
from typing import Self

from modelwright.storage.errors import full_is_unavailable


class OpenFile(ABC):
    """A file that takes bytes until its block ends."""

    def __init__(self, path: Path, mode: str) -> None:
        with full_is_unavailable():
            self._file = FileIO(path, mode)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, piece: bytes) -> None:
        """Adds bytes; refuses when the disk is full."""
        left = memoryview(piece)
        with full_is_unavailable():
            while left:
                left = left[self._file.write(left) :]

    @abstractmethod
    def close(self) -> None:
        """Ends the writing."""
