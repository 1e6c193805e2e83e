"""The worker's side of the queue: claim, keep, report, take over, end.

A lease is named by owner and attempt. Every step checks within its own transaction that the
lease still holds, so that a worker that was thought dead can change nothing any more.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, case, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from modelwright.core.ids import AccountId, JobId
from modelwright.jobs.domain import MAX_RETRY_SECONDS, Lane, Status
from modelwright.jobs.errors import JobCancelled, LeaseLost
from modelwright.jobs.orm import JobLogRecord, JobRecord, PeriodicTaskRecord

_PLAIN = {"synchronize_session": False}


@dataclass(frozen=True, slots=True)
class Lease:
    """One worker's hold on one job."""

    job_id: JobId
    owner: str
    attempt: int

    @property
    def holds(self) -> ColumnElement[bool]:
        """The condition under which the job is still this holder's."""
        return and_(
            JobRecord.job_id == self.job_id,
            JobRecord.status == Status.RUNNING,
            JobRecord.lease_owner == self.owner,
            JobRecord.attempts == self.attempt,
        )


@dataclass(frozen=True, slots=True)
class Claimed:
    """A job as its worker got it."""

    lease: Lease
    account_id: AccountId
    kind: str
    lane: Lane
    is_small: bool
    subject: str
    failures: int
    crashes: int
    cancel_requested: bool


def anything_due(db: Session, now: datetime) -> bool:
    """Returns whether a job waits to be begun or to be ended."""
    waiting = select(JobRecord.job_id).where(
        JobRecord.status == Status.PENDING,
        or_(_has_waited(now), JobRecord.cancel_requested.is_(True)),
    )
    return db.scalar(waiting.limit(1)) is not None


def next_account(
    db: Session,
    lane: Lane,
    kinds: Collection[str],
    now: datetime,
    *,
    caps: Callable[[Collection[str]], Mapping[str, int]],
    served: Mapping[str, int],
    is_small: bool,
) -> str | None:
    """Names the account whose turn it is: fewest running, served longest ago, waiting, asked first.

    An account with as many jobs of the lane running as its cap says has to wait. Where `is_small`,
    only small jobs count as waiting.
    """
    at_work = (
        select(JobRecord.account_id, func.count(JobRecord.job_id))
        .where(JobRecord.status == Status.RUNNING, JobRecord.lane == lane)
        .group_by(JobRecord.account_id)
    )
    in_line = (
        select(JobRecord.account_id, func.min(JobRecord.run_after), func.min(JobRecord.job_id))
        .where(*_due(lane, kinds, now, is_small=is_small))
        .group_by(JobRecord.account_id)
    )
    running = {account: number for account, number in db.execute(at_work)}  # noqa: C416 - rows
    waiting = {account: (since, first) for account, since, first in db.execute(in_line)}
    cap = caps(waiting) if waiting else {}
    free = [name for name in waiting if running.get(name, 0) < cap[name]]
    return min(
        free,
        key=lambda name: (running.get(name, 0), served.get(name, 0), waiting[name]),
        default=None,
    )


def claim(
    db: Session,
    lane: Lane,
    kinds: Collection[str],
    now: datetime,
    account_id: str,
    *,
    is_small: bool = False,
) -> JobRecord | None:
    """Locks and returns the account's oldest job that is due; skips those others hold."""
    return db.scalar(
        select(JobRecord)
        .where(*_due(lane, kinds, now, is_small=is_small), JobRecord.account_id == account_id)
        .order_by(JobRecord.job_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def claim_cancelled(db: Session, kinds: Collection[str]) -> JobRecord | None:
    """Locks and returns a job that was cancelled before it began."""
    return db.scalar(
        select(JobRecord)
        .where(
            JobRecord.status == Status.PENDING,
            JobRecord.cancel_requested.is_(True),
            JobRecord.kind.in_(kinds),
        )
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def grant(db: Session, row: JobRecord, owner: str, now: datetime, until: datetime) -> Claimed:
    """Returns the lease of a locked job."""
    row.status = Status.RUNNING
    row.attempts += 1
    row.lease_owner, row.lease_until = owner, until
    row.started_at = row.started_at or now
    db.flush()
    return Claimed(
        lease=Lease(JobId(row.job_id), owner, row.attempts),
        account_id=AccountId(row.account_id),
        kind=row.kind,
        lane=Lane(row.lane),
        is_small=row.is_small,
        subject=row.subject,
        failures=row.failures,
        crashes=row.crashes,
        cancel_requested=row.cancel_requested,
    )


def _due(
    lane: Lane, kinds: Collection[str], now: datetime, *, is_small: bool
) -> tuple[ColumnElement[bool], ...]:
    return (
        *((JobRecord.is_small.is_(True),) if is_small else ()),
        JobRecord.status == Status.PENDING,
        JobRecord.lane == lane,
        _has_waited(now),
        JobRecord.kind.in_(kinds),
    )


def _has_waited(now: datetime) -> ColumnElement[bool]:
    """Says that a job has waited as long as it should, or its time was set by another clock."""
    latest = now + 2 * timedelta(seconds=MAX_RETRY_SECONDS)
    return or_(JobRecord.run_after <= now, JobRecord.run_after > latest)


def fence(db: Session, lease: Lease, *, heed_cancel: bool = True) -> None:
    """Locks the job for this transaction; raises LeaseLost or Cancelled when it is not to go on."""
    cancelled = db.execute(
        select(JobRecord.cancel_requested).where(lease.holds).with_for_update()
    ).scalar_one_or_none()
    if cancelled is None:
        raise LeaseLost(lease.job_id)
    if cancelled and heed_cancel:
        raise JobCancelled(lease.job_id)


def renew(db: Session, owner: str, until: datetime) -> None:
    """Keeps all of an owner's jobs for longer."""
    db.execute(
        update(JobRecord)
        .where(JobRecord.status == Status.RUNNING, JobRecord.lease_owner == owner)
        .values(lease_until=until)
        .execution_options(**_PLAIN)
    )


def status_of(db: Session, owner: str) -> dict[tuple[str, int], bool]:
    """Returns the leases an owner holds and whether each job was cancelled."""
    rows = db.execute(
        select(JobRecord.job_id, JobRecord.attempts, JobRecord.cancel_requested).where(
            JobRecord.status == Status.RUNNING, JobRecord.lease_owner == owner
        )
    )
    return {(job_id, attempt): cancelled for job_id, attempt, cancelled in rows}


def advance(db: Session, lease: Lease, progress: int, stage: str) -> None:
    """Writes down how far a job is; progress never falls."""
    risen = case((JobRecord.progress < progress, progress), else_=JobRecord.progress)
    db.execute(
        update(JobRecord)
        .where(lease.holds)
        .values(progress=risen, stage=stage)
        .execution_options(**_PLAIN)
    )


def set_stage(db: Session, lease: Lease, members: Mapping[str, object]) -> None:
    """Adds members to what clients see of a job."""
    row = db.scalars(select(JobRecord).where(lease.holds)).one()
    row.resource = {**row.resource, **members}


def add_log_line(db: Session, lines: Sequence[JobLogRecord]) -> None:
    """Writes lines down, in their order."""
    db.add_all(lines)
    db.flush()


def running(db: Session) -> Sequence[tuple[str, str, datetime]]:
    """Returns (job, owner, end of lease) of every running job."""
    rows = db.execute(
        select(JobRecord.job_id, JobRecord.lease_owner, JobRecord.lease_until).where(
            JobRecord.status == Status.RUNNING
        )
    )
    return [(job_id, owner, until) for job_id, owner, until in rows if owner and until]


def requeue_crashed(db: Session, job_id: str, owner: str, *, now: datetime, crashed: bool) -> None:
    """Puts a job whose worker is gone back into the queue, if it still has it."""
    db.execute(
        update(JobRecord)
        .where(
            JobRecord.job_id == job_id,
            JobRecord.status == Status.RUNNING,
            JobRecord.lease_owner == owner,
        )
        .values(_pending(now) | {"crashes": JobRecord.crashes + int(crashed)})
        .execution_options(**_PLAIN)
    )


def requeue(db: Session, owner: str, now: datetime) -> None:
    """Puts all of an owner's running jobs back into the queue."""
    db.execute(
        update(JobRecord)
        .where(JobRecord.status == Status.RUNNING, JobRecord.lease_owner == owner)
        .values(_pending(now))
        .execution_options(**_PLAIN)
    )


def _pending(after: datetime) -> dict[str, object]:
    return {
        "status": Status.PENDING,
        "lease_owner": None,
        "lease_until": None,
        "run_after": after,
    }


def retry(db: Session, lease: Lease, after: datetime, *, crashes: int, failures: int) -> None:
    """Puts a job that went wrong back into the queue, for later."""
    db.execute(
        update(JobRecord)
        .where(lease.holds)
        .values(_pending(after) | {"crashes": crashes, "failures": failures})
        .execution_options(**_PLAIN)
    )


def end(db: Session, lease: Lease, status: Status, now: datetime, error: str | None) -> None:
    """Ends a job."""
    done = {"progress": 100} if status is Status.COMPLETED else {}
    db.execute(
        update(JobRecord)
        .where(lease.holds)
        .values(
            status=status,
            error=error,
            completed_at=now,
            lease_owner=None,
            lease_until=None,
            **done,
        )
        .execution_options(**_PLAIN)
    )


def take_periodic_task(db: Session, name: str, now: datetime, next_time: datetime) -> bool:
    """Returns whether a duty is due and ours; it is then next due at the given time."""
    find = select(PeriodicTaskRecord).where(PeriodicTaskRecord.name == name).with_for_update()
    row = db.scalar(find)
    if row is None:
        with suppress(IntegrityError), db.begin_nested():
            db.add(PeriodicTaskRecord(name=name, due_at=now))
        row = db.scalars(find).one()
    if now < row.due_at <= next_time:  # a later one was set before the clock was set back
        return False
    row.due_at = next_time
    return True
