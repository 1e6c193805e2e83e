"""Claims jobs, carries one out in the calling thread, and settles how it ended."""

import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import count

import structlog
from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Database, advisory_lock
from modelwright.core.errors import ApiError, Damaged, Unavailable
from modelwright.core.http.context import Tier
from modelwright.core.limits.account_caps import cap_of
from modelwright.core.logging import logger
from modelwright.jobs import leases
from modelwright.jobs.context import Handler, JobContext
from modelwright.jobs.domain import MAX_RETRY_SECONDS, Lane, Owner, Status, exhausted, retry_seconds
from modelwright.jobs.errors import ChildKilled, JobCancelled, JobRefused, JobRequeued, LeaseLost
from modelwright.jobs.leases import Claimed
from modelwright.jobs.orm import JobRecord

UNSETTLED_SECONDS = 30.0
"""How long a job waits that cannot be carried out now, or whose end could not be written down."""

IDLE_SECONDS = 1.0
"""How long an unchanged database is taken for an idle queue; jobs put off come due meanwhile."""


Tiers = Callable[[Session, Collection[str]], Mapping[str, Tier]]
"""Looks up the tiers of accounts."""


class Beside(Enum):
    """Which jobs may go beside those that take all places of a lane."""

    NONE = "none"
    ANY = "any"
    """Any of an account that has none running in the lane."""
    SMALL = "small"
    """A small one of such an account."""


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """How an attempt ended; without a status the job is tried again."""

    status: Status | None
    why: str = ""
    failures: int = 0
    crashes: int = 0
    wait_seconds: float = 0


CANCELLED = JobOutcome(Status.CANCELLED, "It was cancelled.")


class Runner:
    """Everything a worker does to jobs, free of threads and loops."""

    def __init__(
        self,
        database: Database,
        handlers: Sequence[Handler],
        clock: Clock,
        settings: Settings,
        owner: Owner,
        tiers: Tiers = lambda _db, _accounts: {},
    ) -> None:
        self._tiers = tiers
        self._caps = {
            Lane.SHORT: settings.short_jobs_per_account,
            Lane.INGESTION: settings.ingestions_per_account,
            Lane.BUILD: settings.builds_per_account,
        }
        self.database = database
        self.handlers: Mapping[str, Handler] = {handler.kind: handler for handler in handlers}
        self.clock = clock
        self.settings = settings
        self.owner = owner
        self.scratch = settings.scratch_dir / "jobs"
        self._lease = timedelta(seconds=settings.lease_seconds)
        self._turns = count(1)
        self._served: dict[str, int] = {}
        self._quiet_at: int | None = None
        self._quiet_until = 0.0
        self._log = logger()

    def claim(self, lane: Lane, beside: Beside = Beside.NONE) -> Claimed | None:
        """Takes the lease of the job whose turn it is in a lane; None when nothing is due.

        Passes over accounts of which as many jobs of the lane run as may; of jobs that go beside
        the lane's places, those that have any running.
        """
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            if self._next_account(db, lane, beside) is None:
                return None
        with self.database.transaction(ALL_ACCOUNTS) as db:
            advisory_lock(db, "jobs.claim")  # so that counts per account hold between workers
            account = self._next_account(db, lane, beside)
            if account is None:
                return None
            is_small, now = beside is Beside.SMALL, self.clock.now()
            row = leases.claim(db, lane, self.handlers, now, account, is_small=is_small)
            self._served[account] = next(self._turns)
            return self._grant(db, row)

    def claim_cancelled(self) -> Claimed | None:
        """Takes the lease of a job that was cancelled before it began."""
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            if leases.claim_cancelled(db, self.handlers) is None:
                return None
        with self.database.transaction(ALL_ACCOUNTS) as db:
            return self._grant(db, leases.claim_cancelled(db, self.handlers))

    def idle(self) -> bool:
        """Returns whether the queue has nothing for any worker; costs next to nothing when so."""
        stamp, now = self.database.stamp(), time.monotonic()
        if stamp is not None and stamp == self._quiet_at and now < self._quiet_until:
            return True
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            due = leases.anything_due(db, self.clock.now())
        self._quiet_at, self._quiet_until = None if due else stamp, now + IDLE_SECONDS
        return not due

    def _next_account(self, db: Session, lane: Lane, beside: Beside) -> str | None:
        def caps(accounts: Collection[str]) -> dict[str, int]:
            if beside is not Beside.NONE:
                return dict.fromkeys(accounts, 1)
            tiers = self._tiers(db, accounts)
            return {
                one: cap_of(self._caps[lane], tiers.get(one, Tier.ENTERPRISE)) for one in accounts
            }

        return leases.next_account(
            db,
            lane,
            self.handlers,
            self.clock.now(),
            caps=caps,
            served=self._served,
            is_small=beside is Beside.SMALL,
        )

    def _grant(self, db: Session, row: JobRecord | None) -> Claimed | None:
        if row is None:
            return None
        now = self.clock.now()
        return leases.grant(db, row, str(self.owner), now, now + self._lease)

    def begin(self, job: Claimed) -> JobContext:
        """Makes the step of a claimed job, with an empty folder of its own."""
        scratch = self.scratch / f"{job.lease.job_id}.{job.lease.attempt}"
        return JobContext(job, self.database, self.clock, scratch)

    def carry_out(self, job: Claimed, step: JobContext) -> JobOutcome | None:
        """Runs a job's handler and writes down how it ended; never raises.

        Returns how the attempt ended; None where another worker has the job now.
        """
        handler = self.handlers[job.kind]
        with structlog.contextvars.bound_contextvars(job_id=step.job_id, kind=job.kind):
            try:
                ending = self._attempt(handler, job, step)
                if ending is not None:
                    self._settle(handler, job, step, ending)
                return ending
            finally:
                shutil.rmtree(step.scratch, ignore_errors=True)

    def _attempt(self, handler: Handler, job: Claimed, step: JobContext) -> JobOutcome | None:
        if job.cancel_requested:
            return CANCELLED
        if why := exhausted(step.attempt - 1, job.failures, job.crashes):
            return JobOutcome(Status.FAILED, why)
        try:
            step.scratch.mkdir(parents=True, exist_ok=True)
            handler.run(step)
        except Exception as error:  # noqa: BLE001 - a handler may raise anything
            return self._ending_of(error, job, step)
        return JobOutcome(Status.COMPLETED)

    def _ending_of(self, error: Exception, job: Claimed, step: JobContext) -> JobOutcome | None:
        """Decides what an exception makes of a job: its end, another try, or nothing."""
        ending: JobOutcome | None = None
        match error:
            case LeaseLost():
                self._log.warning("jobs.lease_lost")
            case JobRequeued():
                ending = JobOutcome(None, failures=job.failures, crashes=job.crashes)
            case JobCancelled():
                ending = CANCELLED
            case Damaged():
                ending = JobOutcome(Status.FAILED, error.message)
            case Unavailable():
                self._log.warning("jobs.put_off", why=error.message)
                step.log(error.message, "WARNING")
                ending = JobOutcome(
                    None,
                    failures=job.failures,
                    crashes=job.crashes,
                    wait_seconds=min(error.retry_after or UNSETTLED_SECONDS, MAX_RETRY_SECONDS),
                )
            case ApiError() | JobRefused():
                ending = JobOutcome(Status.FAILED, str(error))
            case ChildKilled(why="crash"):
                self._log.warning("jobs.child_crashed", why=error.message, trace=error.trace)
                step.log(error.message, "WARNING")
                ending = _again(step, error.message, crashes=job.crashes + 1, failures=job.failures)
            case ChildKilled():
                self._log.warning("jobs.child_killed", why=error.message)
                ending = JobOutcome(Status.FAILED, error.message)
            case _:
                self._log.error("jobs.failed", exc_info=error)
                ending = _again(step, failures=job.failures + 1, crashes=job.crashes)
        return ending

    def _settle(self, handler: Handler, job: Claimed, step: JobContext, ending: JobOutcome) -> None:
        """Writes down the end of a job and what its feature does at it, if the lease holds."""
        now = self.clock.now()
        try:
            with self.database.transaction(job.account_id) as db:
                leases.fence(db, job.lease, heed_cancel=False)
                step.write_down(db)
                if ending.status is None:
                    after = now + timedelta(seconds=ending.wait_seconds)
                    leases.retry(
                        db, job.lease, after, failures=ending.failures, crashes=ending.crashes
                    )
                    return
                if ending.status is not Status.COMPLETED:
                    handler.give_up(db, job.subject, ending.why)
                leases.end(db, job.lease, ending.status, now, ending.why or None)
        except LeaseLost:
            self._log.warning("jobs.lease_lost")
        except Exception:  # noqa: BLE001 - a feature's own end may raise anything
            self._log.exception("jobs.unsettled")
            self._put_off(job, now + timedelta(seconds=UNSETTLED_SECONDS))

    def _put_off(self, job: Claimed, after: datetime) -> None:
        try:
            with self.database.transaction(job.account_id) as db:
                leases.retry(db, job.lease, after, failures=job.failures, crashes=job.crashes)
        except Exception:  # noqa: BLE001 - the lease then runs out by itself
            self._log.exception("jobs.unsettled")

    def take_over(self, held: Collection[str], *, sole: bool) -> int:
        """Puts jobs whose worker is gone back into the queue; returns how many.

        Leases that ran out, and where this is the folder's sole worker all of its former ones';
        never the `held` jobs, which this worker is busy with.
        """
        now = self.clock.now()
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            lost = [
                (job_id, owner)
                for job_id, owner, until in leases.running(db)
                if job_id not in held and (until < now or (sole and self._outlived(owner)))
            ]
        for job_id, owner in lost:
            crashed = self.owner.blames(Owner.of(owner))
            with self.database.transaction(ALL_ACCOUNTS) as db:
                leases.requeue_crashed(db, job_id, owner, now=now, crashed=crashed)
            self._log.warning("jobs.taken_over", job_id=job_id, owner=owner, crashed=crashed)
        return len(lost)

    def _outlived(self, owner: str) -> bool:
        return self.owner.outlived(Owner.of(owner))

    def attend(self, steps: Collection[JobContext], *, renew: bool) -> None:
        """Stops the steps that are cancelled or lost, renews the rest, writes down their news."""
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            standing = leases.status_of(db, str(self.owner))
        for step in steps:
            cancelled = standing.get((step.job_id, step.attempt))
            if cancelled is None:
                step.halt(LeaseLost(step.job_id))
            elif cancelled:
                step.halt(JobCancelled(step.job_id))
        news = [step for step in steps if step.has_news]
        if not (news or (renew and steps)):
            return
        with self.database.transaction(ALL_ACCOUNTS) as db:
            leases.renew(db, str(self.owner), self.clock.now() + self._lease)
            for step in news:
                step.write_down(db)

    def hand_back_rest(self) -> None:
        """Gives up every lease this worker still has."""
        with self.database.transaction(ALL_ACCOUNTS) as db:
            leases.requeue(db, str(self.owner), self.clock.now())


def _again(step: JobContext, last: str = "", *, failures: int, crashes: int) -> JobOutcome:
    why = exhausted(step.attempt, failures, crashes)
    if why:
        return JobOutcome(Status.FAILED, f"{why} {last}".strip())
    wait = retry_seconds(failures + crashes)
    step.log(f"It went wrong and is tried again in {wait:g} seconds.", "WARNING")
    return JobOutcome(None, failures=failures, crashes=crashes, wait_seconds=wait)
