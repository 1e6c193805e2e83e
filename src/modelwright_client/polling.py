"""Asks again and again, ever more slowly, until work on the server has ended."""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from modelwright_client.errors import JobFailedError, JobTimeoutError

T = TypeVar("T")
Work = TypeVar("Work", bound=Mapping[str, Any])

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 2.0
ENDED = {"complete", "completed", "failed"}
"""How uploads, exports and analyses end."""


def poll_until(
    ended: Callable[[T], bool],
    look: Callable[[], T],
    *,
    what: str,
    timeout: float | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Returns the first look that has ended; after `timeout` seconds raises `JobTimeoutError`."""
    started = time.monotonic()
    pause = FIRST_PAUSE
    while not ended(seen := look()):
        if timeout is not None and time.monotonic() - started + pause > timeout:
            raise JobTimeoutError(f"{what} is not finished after {timeout:g} s; it goes on.")
        sleep(pause)
        pause = min(pause * 1.3, LONGEST_PAUSE)
    return seen


def until_made(look: Callable[[], Work], *, what: str, timeout: float | None = None) -> Work:
    """Returns what is complete; `JobFailedError` carries the reason when it failed."""
    seen = poll_until(lambda seen: seen["status"] in ENDED, look, what=what, timeout=timeout)
    if seen["status"] == "failed":
        raise JobFailedError(f"{what} failed: {seen.get('error') or 'no reason given'}")
    return seen
