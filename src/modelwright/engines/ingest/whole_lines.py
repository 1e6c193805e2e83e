"""Edits of a text whose lines come in chunks: whole lines are changed, the last part is held."""

from abc import ABC, abstractmethod


class WholeLines(ABC):
    """Changes the lines of a text as it streams by; a line that is too long passes in pieces."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._held = b""

    def __call__(self, chunk: bytes, last: bool) -> bytes:
        """Returns the whole lines that there are so far, changed."""
        whole = self._held + chunk
        end = whole.rfind(b"\n") + 1
        if last or len(whole) - end > self._longest:
            end = len(whole)
        self._held = whole[end:]
        return self._changed(whole[:end])

    @abstractmethod
    def _changed(self, lines: bytes) -> bytes:
        """Changes whole lines."""
