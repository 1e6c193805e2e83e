"""Asks again and again, ever more slowly, until work on the server has ended."""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from modelwright_client.errors import JobFailedError, JobTimeoutError

T = TypeVar("T")
Work = TypeVar("Work", bound=Mapping[str, Any])

FIRST_PAUSE = 0.2
"""Seconds between the first two looks: short work is answered at once."""
LONGEST_PAUSE = 2.0
"""Seconds between two looks at long work."""
GROWTH = 1.15
"""How many times longer each pause is than the one before it."""
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
    """Looks again and again until what is seen has ended.

    Args:
        ended: Tells whether what was seen has ended.
        look: Sees how far the work is.
        what: What is waited for, for the message.
        timeout: Seconds to wait at most; without it there is no end.
        sleep: Waits so many seconds.

    Returns:
        The first that has ended.

    Raises:
        JobTimeoutError: The time ran out; the work goes on.
    """
    started = time.monotonic()
    pause = FIRST_PAUSE
    while not ended(seen := look()):
        if timeout is not None and time.monotonic() - started + pause > timeout:
            raise JobTimeoutError(
                f"{what} is not finished after {timeout:g} s; it goes on; wait longer."
            )
        sleep(pause)
        pause = min(pause * GROWTH, LONGEST_PAUSE)
    return seen


def until_made(look: Callable[[], Work], *, what: str, timeout: float | None = None) -> Work:
    """Waits until an upload, an export or an analysis is complete.

    Args:
        look: Sees how far the work is.
        what: What is waited for, for the message.
        timeout: Seconds to wait at most; without it there is no end.

    Returns:
        What is complete.

    Raises:
        JobFailedError: It failed; the message has the reason.
        JobTimeoutError: The time ran out; the work goes on.
    """
    seen = poll_until(lambda seen: seen["status"] in ENDED, look, what=what, timeout=timeout)
    if seen["status"] == "failed":
        raise JobFailedError(f"{what} failed: {seen.get('error') or 'no reason given'}")
    return seen
