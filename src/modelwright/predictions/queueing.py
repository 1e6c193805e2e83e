"""The line that predictions stand in which need a thread: so many compute, so many wait, no more.

It has threads of its own, so that batches and models read from storage keep nothing else waiting.
"""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from modelwright.predictions.errors import QueueFull

T = TypeVar("T")

AT_ONCE = 16
"""Predictions in threads at the same time; some of them read from storage or the database."""
MOST_BYTES = 256 << 20
"""What the bodies of all predictions in line may be together; one alone may always stand in it."""


class Queue:
    """The line of one API process; belongs to its event loop."""

    def __init__(self, waiting: int) -> None:
        self._most = AT_ONCE + waiting
        self._threads = CapacityLimiter(AT_ONCE)
        self._held = self._bytes = 0

    async def run(self, size: int, work: Callable[[], T]) -> T:
        """Does the work over a body of so many bytes in a thread, when its turn comes.

        Refuses when too many are in line, or their bodies are too large together.
        """
        if self._held >= self._most or (self._held and self._bytes + size > MOST_BYTES):
            raise QueueFull
        self._held += 1
        self._bytes += size
        try:
            return await run_sync(work, limiter=self._threads)
        finally:
            self._held -= 1
            self._bytes -= size
