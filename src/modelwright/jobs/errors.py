"""Errors of the feature, and the ways in which a job's work stops short.

Light on purpose: the child processes import it.
"""

from collections.abc import Mapping
from typing import Any

from modelwright.core.errors import Conflict, RateLimited, Unavailable


class JobOver(Conflict):
    """The job has ended and can no longer be cancelled."""


class NoWorker(Unavailable):
    """Jobs are due and no worker begins them."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"A job has been due for {seconds:.0f} seconds and no worker is at work; start one."
        )


class TooManyWaiting(RateLimited):
    """As many of the account's jobs wait as may."""

    def __init__(self, most: int) -> None:
        message = f"{most:,} of your jobs wait to be begun; let some end, or cancel some."
        super().__init__(message, retry_after=60)


class TooManyStreams(RateLimited):
    """The account follows as many jobs at once as it may."""

    def __init__(self, most: int) -> None:
        message = f"{most} streams of events are open; close some, or read GET /jobs/{{job_id}}."
        super().__init__(message, retry_after=5)


class DiskFull(Unavailable):
    """A child's work found no room left on the disk."""

    def __init__(self) -> None:
        super().__init__("The disk is full; try again later.", retry_after=60)


class JobInterrupted(Exception):
    """The worker must let go of the job; handlers let it pass."""


class JobCancelled(JobInterrupted):
    """Somebody cancelled the job."""


class LeaseLost(JobInterrupted):
    """Another worker has the job now; nothing more of this attempt is kept."""


class JobRequeued(JobInterrupted):
    """This worker is going down; the job goes back into the queue."""


class JobRefused(Exception):
    """A child's target refused its input; raised there, and in the worker with the same reason."""

    def __init__(self, reason: Mapping[str, Any]) -> None:
        super().__init__(str(reason.get("message", reason)))
        self.reason = dict(reason)


class ChildKilled(Exception):
    """A child process ended before its work did; `why` is memory, deadline or crash.

    The message is for clients, the trace for the log.
    """

    def __init__(self, why: str, message: str, trace: str = "") -> None:
        super().__init__(message)
        self.why = why
        self.message = message
        self.trace = trace


class ChildFailed(Exception):
    """A child's target raised something unexpected; the text is its traceback, for the log."""
