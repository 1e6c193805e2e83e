"""What a feature's `tasks.py` is written against: the handler of a kind of job, and its step.

Reports and log lines are only noted here; the worker writes them down a few times a second, and
all of them when the job ends.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import Database
from modelwright.core.ids import AccountId, JobId
from modelwright.jobs import leases
from modelwright.jobs.domain import Lane, attempt_name, progress_slice
from modelwright.jobs.errors import ChildFailed, ChildKilled, JobInterrupted, JobRefused
from modelwright.jobs.orm import JobLogRecord
from modelwright.jobs.subprocesses import CHILD_NICENESS, SMALL_NICE, ChildLimits, environment
from modelwright.jobs.subprocesses import run as run_child
from modelwright.system.sandbox.process import Reach

__all__ = [
    "ChildFailed",
    "ChildKilled",
    "ChildLimits",
    "Handler",
    "JobContext",
    "JobInterrupted",
    "JobRefused",
    "PeriodicTask",
    "Reach",
    "environment",
    "run_child",
]


class Handler(Protocol):
    """Does one kind of job; safe to run twice on the same subject."""

    @property
    def kind(self) -> str:
        """The kind of job."""

    @property
    def lane(self) -> Lane:
        """The lane its jobs are in."""

    def run(self, step: "JobContext") -> None:
        """Does the work; an exception means trying again, an `ApiError` or `JobRefused` failing."""

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Ends the subject badly, in the very transaction that ends the job."""


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """Something a worker does every so many seconds, in a transaction that sees all accounts."""

    name: str
    seconds: float
    carry_out: Callable[[Session], None]


class JobContext:
    """One attempt at one job, as its handler sees it."""

    def __init__(
        self, job: leases.Claimed, database: Database, clock: Clock, scratch: Path
    ) -> None:
        self.job_id: JobId = job.lease.job_id
        self.subject = job.subject
        self.account_id: AccountId = job.account_id
        self.attempt = job.lease.attempt
        self.scratch = scratch
        self._lease = job.lease
        self._is_small = job.is_small
        self._database = database
        self._clock = clock
        self._halted: JobInterrupted | None = None
        self._woken = threading.Event()
        self._lock = threading.Lock()
        self._lines: list[JobLogRecord] = []
        self._reached: tuple[int, str] | None = None

    @property
    def name(self) -> str:
        """Names this attempt; see `Jobs.attempts_at`."""
        return attempt_name(self.job_id, self.attempt)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Opens a transaction on the account's rows.

        Raises `JobInterrupted` if the job is not ours any more. Progress and log lines may be told
        inside it: they are written apart from it.
        """
        self.check()
        with self._database.transaction(self.account_id) as db:
            leases.fence(db, self._lease)
            yield db

    def progress(self, percent: int, stage: str) -> None:
        """Tells how far the work is (0 to 100) and what is being done; it never falls."""
        self.check()
        with self._lock:
            reached = max(percent, self._reached[0] if self._reached else 0)
            self._reached = (min(reached, 100), stage)

    def progress_of_file(
        self, sizes: Sequence[int], place: int, stage: str
    ) -> Callable[[Mapping[str, Any]], None]:
        """Tells that a file is begun, the one at `place` of those of these sizes in bytes.

        Returns what takes a child's reports of it: each has the `share` that is done, 0 to 1.
        """
        start, weight = progress_slice(sizes, place)
        self.progress(int(start), stage)
        return lambda report: self.progress(int(start + weight * report["share"]), stage)

    def log(self, message: str, level: str = "INFO") -> None:
        """Adds a line to the job's log."""
        line = JobLogRecord(
            account_id=self.account_id,
            job_id=self.job_id,
            timestamp=self._clock.now(),
            level=level,
            message=message,
        )
        with self._lock:
            self._lines.append(line)

    def show(self, members: Mapping[str, Any]) -> None:
        """Adds members to what clients see of the job, at once."""
        with self.transaction() as db:
            leases.set_stage(db, self._lease, members)

    def child(
        self,
        target: str,
        payload: Mapping[str, Any],
        *,
        memory_mb: int,
        seconds: float,
        readable: Iterable[Path] = (),
        port: int | None = None,
        prepare: str | None = None,
        on_report: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """Runs `package.module:function` in a process of its own and returns what it returned.

        The function takes (payload, report), both JSON. Reports go to `on_report`; by default
        their `percent` and `stage` become progress, their `message` and `level` log lines,
        and the job shows the members of `shown`. Of files it reaches those that are readable, and
        the job's own folder; of the network, that port of any host; see `subprocesses.run`.
        Raises `JobRefused`, `ChildKilled`, `DiskFull`, `ChildFailed`, and `JobInterrupted` when the
        job is not to go on.
        """
        self.check()
        return run_child(
            target,
            payload,
            limits=ChildLimits(
                memory_mb, seconds, nice=SMALL_NICE if self._is_small else CHILD_NICENESS
            ),
            on_report=on_report or self._note,
            check=self.check,
            reach=Reach(readable=tuple(str(path.absolute()) for path in readable), port=port),
            folder=self.scratch,
            prepare=prepare,
        )

    def halt(self, reason: JobInterrupted) -> None:
        """Stops the work: its child is killed, its next call here raises the reason."""
        self._halted = self._halted or reason
        self._woken.set()

    def check(self) -> None:
        """Raises `JobInterrupted` when the work is not to go on; long loops call it."""
        if self._halted is not None:
            raise self._halted

    def wait(self, seconds: float) -> None:
        """Waits for others; raises `JobInterrupted` when the work is not to go on."""
        self._woken.wait(seconds)
        self.check()

    def write_down(self, db: Session) -> None:
        """Moves what was noted into the database; the worker calls it."""
        with self._lock:
            reached, self._reached = self._reached, None
            lines, self._lines = self._lines, []
        if reached is not None:
            leases.advance(db, self._lease, *reached)
        if lines:
            leases.add_log_line(db, lines)

    @property
    def has_news(self) -> bool:
        """Whether there is something to write down."""
        return bool(self._lines) or self._reached is not None

    def _note(self, report: dict[str, Any]) -> None:
        if "percent" in report:
            self.progress(int(report["percent"]), str(report.get("stage", "")))
        if "message" in report:
            self.log(str(report["message"]), str(report.get("level", "INFO")))
        if "shown" in report:
            self.show(report["shown"])
