"""Asks again and again, ever more slowly, until work on the server has ended."""

import time
from collections.abc import Callable
from typing import TypeVar

from modelwright_client.errors import StillRunningError

T = TypeVar("T")

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 2.0


def until(
    ended: Callable[[T], bool],
    look: Callable[[], T],
    *,
    what: str,
    timeout: float | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Returns the first look that has ended; after `timeout` seconds raises `StillRunningError`."""
    started = time.monotonic()
    pause = FIRST_PAUSE
    while not ended(seen := look()):
        if timeout is not None and time.monotonic() - started + pause > timeout:
            raise StillRunningError(f"{what} is not finished after {timeout:g} s; it goes on.")
        sleep(pause)
        pause = min(pause * 1.3, LONGEST_PAUSE)
    return seen
