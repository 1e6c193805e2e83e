"""Rows: jobs, what they said, and when periodic tasks are next due."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, Integer, Text, true
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.jobs.domain import Lane, Status


class JobRecord(AccountOwned, Base):
    """One piece of work; `subject` is the id of what it works on, `resource` what clients see."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_status_lane_run_after", "status", "lane", "run_after"),
        Index("ix_jobs_kind_subject", "kind", "subject"),
    )

    job_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    lane: Mapped[str] = mapped_column(default=Lane.SHORT)
    is_small: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether it may go beside the lane's jobs while these take all places."""
    subject: Mapped[str]
    resource: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    status: Mapped[str] = mapped_column(default=Status.PENDING)
    progress: Mapped[int] = mapped_column(default=0)
    stage: Mapped[str] = mapped_column(default="")
    attempts: Mapped[int] = mapped_column(default=0)
    """Times it was begun; with the owner, it tells one holder of the lease from the next."""
    failures: Mapped[int] = mapped_column(default=0)
    crashes: Mapped[int] = mapped_column(default=0)
    run_after: Mapped[datetime]
    lease_owner: Mapped[str | None] = mapped_column(index=True)
    lease_until: Mapped[datetime | None]
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    completed_at: Mapped[datetime | None]


class JobLogRecord(AccountOwned, Base):
    """One line a job said; `sequence` rises within a job."""

    __tablename__ = "job_logs"

    sequence: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    job_id: Mapped[str] = mapped_column(index=True)
    timestamp: Mapped[datetime]
    level: Mapped[str]
    message: Mapped[str] = mapped_column(Text)


class PeriodicTaskRecord(Base):
    """When a periodic duty is next due; the worker that moves it on carries it out."""

    __tablename__ = "duties"

    name: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[datetime]
