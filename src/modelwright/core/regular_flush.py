"""Writes what a service notes in memory, regularly and in a thread of its own."""

import threading
from collections.abc import Callable

from modelwright.core.logging import logger

FLUSH_SECONDS = 1.0
"""How often what was noted is written; so many seconds of it may be lost with the process."""


class RegularFlush:
    """The regular flushing of one service."""

    def __init__(self, name: str, flush: Callable[[], None]) -> None:
        self._name = name
        self._flush = flush
        self._stopped = threading.Event()

    def run(self) -> None:
        """Flushes every second until `stop`; run it in a thread of its own."""
        while not self._stopped.wait(FLUSH_SECONDS):
            try:
                self._flush()
            except Exception:  # noqa: BLE001 - the next second tries again
                logger().warning(f"{self._name}.flush_failed", exc_info=True)

    def stop(self) -> None:
        """Ends the regular flushing and writes what is left."""
        self._stopped.set()
        self._flush()
