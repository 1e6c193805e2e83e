"""The words of a job, what is known of one, and how often it is tried, and when again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from modelwright.core.ids import AccountId, JobId


class Lane(StrEnum):
    """Queues with places of their own, so that none waits behind another's long jobs."""

    SHORT = "short"
    INGESTION = "ingestion"
    BUILD = "build"


class Status(StrEnum):
    """The state of a job."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class Kind(StrEnum):
    """What a job does."""

    # Jobs that help one of these have kinds of their own, which clients do not see.

    PROCESSING = "processing"
    ANALYSIS = "analysis"
    EXPORT = "export"
    BUILD = "build"
    DEPLOYMENT = "deployment"
    INGESTION = "ingestion"
    SCORING = "scoring"


OPEN_STATUSES = (Status.PENDING, Status.RUNNING)
"""The statuses of a job that has not ended."""

MAX_FAILURES = 3
"""Times a job may fail with an unexpected error before it is `FAILED`."""

MAX_CRASHES = 3
"""Times a job may kill its process before it is `FAILED`."""

MAX_ATTEMPTS = 100
"""Times a job is begun at all, so that one that takes the whole machine down comes to an end."""


MAX_RETRY_SECONDS = 60.0
"""How long a job that is put off waits at most."""


def retry_seconds(times: int) -> float:
    """Returns how long a job waits after going wrong for the given time: 1, 4, 16 … at most 60."""
    return min(MAX_RETRY_SECONDS, 4.0 ** (times - 1))


def exhausted(attempts: int, failures: int, crashes: int) -> str | None:
    """Says why a job is not begun again; None when it may be."""
    if crashes >= MAX_CRASHES:
        return f"It was stopped after its process crashed {crashes} times."
    if failures >= MAX_FAILURES:
        return f"It failed {failures} times because of an internal error; the server's log has it."
    if attempts >= MAX_ATTEMPTS:
        return f"It was begun {attempts} times without coming to an end."
    return None


def queue_position(running: int, before: int = 0) -> str:
    """Says why a job has not begun yet: how many of its lane run, how many of its account wait."""
    text = f"waiting its turn: {running} {'job is' if running == 1 else 'jobs are'} running"
    return text + (f", {before} of yours {'is' if before == 1 else 'are'} before it" * bool(before))


def progress_slice(sizes: Sequence[int], place: int) -> tuple[float, float]:
    """Returns where one file's share of a job's progress starts, and how much it is, in percent.

    Of files done one after the other, the larger one takes longer; an empty one takes some time.
    """
    weights = [max(size, 1) for size in sizes]
    return 100 * sum(weights[:place]) / sum(weights), 100 * weights[place] / sum(weights)


def attempt_name(job_id: str, attempt: int) -> str:
    """Names one attempt at a job, which ends with its lease."""
    return f"{job_id}.{attempt}"


class Owner(NamedTuple):
    """Who holds a lease: a worker, of one start of `serve`, on one data folder.

    A data folder has one working worker at a time, so another owner of the same folder is dead.
    """

    folder: str
    boot: str
    name: str

    def __str__(self) -> str:
        return ".".join(self)

    @classmethod
    def of(cls, text: str) -> "Owner":
        """Reads an owner as it is stored."""
        folder, boot, name = text.split(".")
        return cls(folder, boot, name)

    def outlived(self, other: "Owner") -> bool:
        """Whether the other is certainly dead."""
        return self.folder == other.folder and self != other

    def blames(self, other: "Owner") -> bool:
        """Whether the other died of its own work, rather than with everything around it."""
        return other.boot in {self.boot, UNSUPERVISED}


UNSUPERVISED = "alone"
"""The boot of a worker that no `serve` started."""


@dataclass(frozen=True, slots=True)
class JobInfo:
    """How a job stands."""

    job_id: JobId
    account_id: AccountId
    kind: str
    subject: str
    resource: dict[str, Any]
    status: Status
    progress: int
    stage: str
    cancel_requested: bool
    error: str | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.status not in OPEN_STATUSES


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line a job said; `resource` is the job's."""

    sequence: int
    job_id: JobId
    resource: dict[str, Any]
    timestamp: datetime
    level: str
    message: str
