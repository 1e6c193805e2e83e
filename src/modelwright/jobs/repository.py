"""What features and the Jobs API ask of the queue; the worker's side is in `leases`.

Whoever asks about jobs reads without taking a lease: readers never keep a worker from its next job.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from modelwright.core.db import queries
from modelwright.core.http.paging import Page
from modelwright.jobs.domain import OPEN_STATUSES, Kind, Lane, Status
from modelwright.jobs.orm import JobLogRecord, JobRecord


def find(db: Session, job_id: str) -> JobRecord | None:
    """Returns a job."""
    return db.scalar(
        select(JobRecord)
        .where(JobRecord.job_id == job_id)
        .execution_options(populate_existing=True)
    )


def at_work(db: Session, lane: str) -> int:
    """Counts the jobs of a lane that run, whoever's they are."""
    jobs = JobRecord.__table__.c
    running = select(func.count(jobs.job_id)).where(
        jobs.status == Status.RUNNING, jobs.lane == lane
    )
    return db.scalar(running) or 0


def waiting_ids(db: Session, lane: str) -> Sequence[str]:
    """Lists the jobs of the scope that wait to be begun in a lane, the next one first."""
    return db.scalars(
        select(JobRecord.job_id)
        .where(JobRecord.status == Status.PENDING, JobRecord.lane == lane)
        .order_by(JobRecord.job_id)
    ).all()


def has_waiting(db: Session, most: int) -> bool:
    """Returns whether as many jobs of the scope wait to be begun."""
    waiting = select(JobRecord.job_id).where(
        JobRecord.status == Status.PENDING, JobRecord.lane.in_(Lane)
    )
    return len(db.scalars(waiting.limit(most)).all()) >= most


def running_on(db: Session, subject: str, kinds: Collection[str]) -> Sequence[tuple[str, int]]:
    """Lists the jobs of some kinds on a subject that run, and which attempt it is."""
    running = select(JobRecord.job_id, JobRecord.attempts).where(
        JobRecord.kind.in_(kinds),
        JobRecord.subject == subject,
        JobRecord.status == Status.RUNNING,
    )
    return [(job_id, attempt) for job_id, attempt in db.execute(running)]


def latest_for(db: Session, kind: str, subject: str) -> JobRecord | None:
    """Returns the newest job of a kind on a subject."""
    return db.scalar(
        select(JobRecord)
        .where(JobRecord.kind == kind, JobRecord.subject == subject)
        .order_by(JobRecord.job_id.desc())
        .limit(1)
        .execution_options(populate_existing=True)
    )


def page(
    db: Session, page: Page, *, status: str | None, kinds: Collection[str]
) -> tuple[Sequence[JobRecord], int]:
    """Returns a page of jobs, newest first, and how many there are."""
    where: list[ColumnElement[bool]] = [JobRecord.kind.in_(kinds)]
    if status is not None:
        where.append(JobRecord.status == status)
    order = JobRecord.created_at.desc(), JobRecord.job_id.desc()
    return queries.paginate(db, select(JobRecord).where(*where), page, *order)


def request_cancel(db: Session, *where: ColumnElement[bool]) -> int:
    """Marks the open jobs among the given ones; returns how many there were."""
    still_open = update(JobRecord).where(*where, JobRecord.status.in_(OPEN_STATUSES))
    return queries.changed_rows(db, still_open.values(cancel_requested=True))


def delete_old(db: Session, ended_before: datetime, most: int) -> None:
    """Removes the oldest of the jobs that ended before a moment, with what they said."""
    over = select(JobRecord.job_id).where(
        JobRecord.status.not_in(OPEN_STATUSES), JobRecord.completed_at < ended_before
    )
    ids = db.scalars(over.order_by(JobRecord.job_id).limit(most)).all()
    db.execute(delete(JobLogRecord).where(JobLogRecord.job_id.in_(ids)))
    db.execute(delete(JobRecord).where(JobRecord.job_id.in_(ids)))


def logs(
    db: Session, page: Page, *, job_id: str | None, kind: str | None
) -> tuple[Sequence[Any], int]:
    """Returns a page of (log line, job's resource), oldest first, and how many there are."""
    lines = select(JobLogRecord, JobRecord.resource).join(
        JobRecord, JobRecord.job_id == JobLogRecord.job_id
    )
    count = select(func.count(JobLogRecord.sequence)).join(
        JobRecord, JobRecord.job_id == JobLogRecord.job_id
    )
    where: list[ColumnElement[bool]] = [JobRecord.kind.in_(Kind)]
    if job_id is not None:
        where.append(JobLogRecord.job_id == job_id)
    if kind is not None:
        where.append(JobRecord.kind == kind)
    total = db.scalar(count.where(*where)) or 0
    queries = db.execute(
        lines.where(*where).order_by(JobLogRecord.sequence).limit(page.limit).offset(page.offset)
    ).all()
    return queries, total


def logs_after(db: Session, job_id: str, sequence: int, limit: int) -> Sequence[JobLogRecord]:
    """Returns what a job said after a line."""
    return db.scalars(
        select(JobLogRecord)
        .where(JobLogRecord.job_id == job_id, JobLogRecord.sequence > sequence)
        .order_by(JobLogRecord.sequence)
        .limit(limit)
    ).all()


def oldest_neglected(db: Session, before: datetime) -> datetime | None:
    """Tells since when a job has been due, before a moment, while nothing of its lane is at work.

    What runs under a lease that ran out a while ago is not at work: its worker is gone or stands
    still, and no other takes it over.
    """
    busy = select(JobRecord.lane).where(
        JobRecord.status == Status.RUNNING, JobRecord.lease_until > before
    )
    waiting = select(func.min(JobRecord.run_after)).where(
        JobRecord.status == Status.PENDING,
        JobRecord.run_after < before,
        JobRecord.lane.not_in(busy),
    )
    abandoned = select(func.min(JobRecord.lease_until)).where(
        JobRecord.status == Status.RUNNING, JobRecord.lease_until < before
    )
    found = [since for since in (db.scalar(waiting), db.scalar(abandoned)) if since is not None]
    return min(found, default=None)


def oldest_due(db: Session, now: datetime) -> list[tuple[str, datetime]]:
    """Tells of each lane since when its oldest job has been due."""
    waiting = (
        select(JobRecord.lane, func.min(JobRecord.run_after))
        .where(JobRecord.status == Status.PENDING, JobRecord.run_after <= now)
        .group_by(JobRecord.lane)
    )
    return [(lane, since) for lane, since in db.execute(waiting).all()]


def counts(db: Session) -> list[tuple[str, str, int]]:
    """Counts the jobs of each kind and status."""
    wanted = select(JobRecord.kind, JobRecord.status, func.count()).group_by(
        JobRecord.kind, JobRecord.status
    )
    return [(kind, status, count) for kind, status, count in db.execute(wanted).all()]
