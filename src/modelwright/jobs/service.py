"""`Jobs`: ask for work in the caller's transaction, see how it stands, ask for it to stop.

A job that is enqueued in the caller's transaction exists exactly where what it works on does; a
queue beside the database would lose one of both in a crash.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert, to_dataclass
from modelwright.core.errors import get_or_404
from modelwright.core.http.paging import Page
from modelwright.core.ids import AccountId, JobId, new_id
from modelwright.core.limits.contract import MB
from modelwright.core.process.disk_space import DiskSpaceGuard
from modelwright.core.stored_values import read_member
from modelwright.jobs import leases, repository
from modelwright.jobs.domain import (
    JobInfo,
    Kind,
    Lane,
    LogLine,
    Owner,
    Status,
    attempt_name,
    queue_position,
)
from modelwright.jobs.errors import JobOver, NoWorker, TooManyWaiting
from modelwright.jobs.orm import JobLogRecord, JobRecord

OVERDUE_SECONDS = 60.0
"""How long a due job may wait, while nothing else runs, before something is wrong."""

SMALL_BYTES = 32 * MB
"""Data that a job may read to count as small, unless the operator says otherwise."""

MAX_WAITING_JOBS = 1000
"""Jobs of one account that may wait: a line without end would slow the choice of the next one."""

CLEANUP_BATCH_ROWS = 500
"""Jobs forgotten in one transaction, so that it keeps nobody waiting."""


class Jobs:
    """The queue as other features see it."""

    def __init__(
        self, clock: Clock, space: DiskSpaceGuard | None = None, small_bytes: int = SMALL_BYTES
    ) -> None:
        self._clock = clock
        self._space = space or DiskSpaceGuard()
        self._small_bytes = small_bytes

    def enqueue(
        self,
        db: Session,
        kind: str,
        subject: str,
        *,
        lane: Lane = Lane.SHORT,
        reads_bytes: int = 0,
        resource: Mapping[str, str] | None = None,
        account_id: AccountId | None = None,
    ) -> JobId:
        """Asks for work, in the caller's transaction: it is there if, and only if, that commits.

        The account is the transaction's; name it where the transaction sees all accounts.
        What reads few bytes may go beside the lane's jobs while these take all places.
        Refuses while the disk is nearly full, and where very many of the account's jobs wait.
        """
        self._space.check()
        if account_id is None and repository.has_waiting(db, MAX_WAITING_JOBS):
            raise TooManyWaiting(MAX_WAITING_JOBS)
        now = self._clock.now()
        row = JobRecord(
            job_id=new_id("job"),
            account_id=account_id,
            kind=kind,
            lane=lane,
            is_small=reads_bytes <= self._small_bytes,
            subject=subject,
            resource=dict(resource or {}),
            run_after=now,
            created_at=now,
        )
        insert(db, row)
        return JobId(row.job_id)

    def read(self, db: Session, job_id: str) -> JobInfo:
        """Returns how a job stands; refuses one that is not the caller's."""
        return self._told(db, [get_or_404(repository.find(db, job_id), "job_id", job_id)])[0]

    def latest_for(self, db: Session, kind: str, subject: str) -> JobInfo | None:
        """Returns the newest job of a kind on a subject."""
        row = repository.latest_for(db, kind, subject)
        return _to_info(row) if row else None

    def list_(
        self,
        db: Session,
        page: Page,
        *,
        status: Status | None = None,
        kinds: Collection[str] = tuple(Kind),
    ) -> tuple[list[JobInfo], int]:
        """Returns a page of jobs, newest first, and how many there are in all."""
        rows, total = repository.page(db, page, status=status, kinds=kinds)
        return self._told(db, rows), total

    def _told(self, db: Session, rows: Sequence[JobRecord]) -> list[JobInfo]:
        """Tells how jobs stand; of those that wait, what they wait for."""
        lanes = {row.lane for row in rows if row.status == Status.PENDING}
        running = {lane: repository.at_work(db, lane) for lane in lanes}
        in_line = {lane: repository.waiting_ids(db, lane) for lane in lanes}

        def before(row: JobRecord) -> int:
            return bisect_left(in_line.get(row.lane, ()), row.job_id)

        return [_to_info(row, running.get(row.lane, 0), before(row)) for row in rows]

    def cancel(self, db: Session, job_id: str) -> JobInfo:
        """Asks for a job to stop; a worker ends it within two seconds. Refuses one that is over."""
        facts = self.read(db, job_id)
        if not repository.request_cancel(db, JobRecord.job_id == job_id):
            raise JobOver(f"The job {job_id} is {facts.status} and can't be cancelled.")
        return self.read(db, job_id)

    def cancel_for(self, db: Session, kind: str, subject: str) -> int:
        """Asks for all open jobs of a kind on a subject to stop; returns how many there were."""
        return repository.request_cancel(db, JobRecord.kind == kind, JobRecord.subject == subject)

    def cancel_all(self, db: Session, account_id: str) -> int:
        """Asks for all open jobs of an account to stop; returns how many there were."""
        return repository.request_cancel(db, JobRecord.account_id == account_id)

    def attempts_at(self, db: Session, subject: str, kinds: Collection[str]) -> frozenset[str]:
        """Names the attempts of jobs on a subject that are under way, as their steps do."""
        found = repository.running_on(db, subject, kinds)
        return frozenset(attempt_name(job_id, attempt) for job_id, attempt in found)

    def logs(
        self, db: Session, page: Page, *, job_id: str | None = None, kind: str | None = None
    ) -> tuple[list[LogLine], int]:
        """Returns a page of what jobs said, oldest first, and how many lines there are in all.

        Refuses a job that is not the caller's.
        """
        if job_id is not None:
            self.read(db, job_id)
        rows, total = repository.logs(db, page, job_id=job_id, kind=kind)
        return [_line(row, resource) for row, resource in rows], total

    def logs_after(
        self, db: Session, facts: JobInfo, sequence: int, limit: int = 1000
    ) -> list[LogLine]:
        """Returns what a job said after a line it said before."""
        rows = repository.logs_after(db, facts.job_id, sequence, limit)
        return [_line(row, facts.resource) for row in rows]

    def sweep(self, db: Session, days: int) -> None:
        """Forgets jobs that ended so many days ago, and their logs, some at a time.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        repository.delete_old(db, self._clock.now() - timedelta(days=days), CLEANUP_BATCH_ROWS)

    def counts(self, db: Session) -> list[tuple[str, str, int]]:
        """Counts the jobs of each kind and status."""
        return repository.counts(db)

    def oldest_due(self, db: Session) -> list[tuple[str, float]]:
        """Tells of each lane for how many seconds its oldest job has waited that is due."""
        now = self._clock.now()
        return [
            (lane, (now - since).total_seconds()) for lane, since in repository.oldest_due(db, now)
        ]

    def running_on(self, db: Session, machine_id: str) -> int:
        """Counts the jobs that a machine carries out now."""
        owners = [Owner.of(owner) for _, owner, _ in leases.running(db)]
        return sum(one.folder == machine_id for one in owners)

    def probe(self, db: Session) -> None:
        """Raises NoWorker when work has been due for a minute and nobody does it."""
        now = self._clock.now()
        since = repository.oldest_neglected(db, now - timedelta(seconds=OVERDUE_SECONDS))
        if since is not None:
            raise NoWorker((now - since).total_seconds())


def _to_info(row: JobRecord, running: int = 0, before: int = 0) -> JobInfo:
    waits = running and row.status == Status.PENDING
    stage = queue_position(running, before) if waits else row.stage
    return to_dataclass(row, JobInfo, status=read_member(Status, row.status), stage=stage)


def _line(row: JobLogRecord, resource: dict[str, Any]) -> LogLine:
    return to_dataclass(row, LogLine, resource=resource)
