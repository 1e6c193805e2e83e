"""The job loop: fills the lanes' slots, looks after what runs, hands back what it cannot finish."""

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import (
    check_everything,
    check_object_store,
    open_container,
    start_telemetry,
    until_there,
)
from modelwright.core.clock import Clock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.ids import new_id
from modelwright.core.logging import logger, set_up
from modelwright.core.process import heartbeat
from modelwright.core.process.locks import living_lock
from modelwright.core.process.open_files import raise_limit
from modelwright.core.process.stop_signals import on_stop_signal
from modelwright.core.telemetry import Telemetry
from modelwright.jobs import leases
from modelwright.jobs.context import Handler, JobContext, PeriodicTask
from modelwright.jobs.domain import UNSUPERVISED, Lane, Owner, Status
from modelwright.jobs.errors import JobRequeued
from modelwright.jobs.leases import Claimed
from modelwright.jobs.runner import Beside, Runner, Tiers
from modelwright.machines.domain import MachinePart
from modelwright.machines.identity import machine_id
from modelwright.machines.membership import Membership
from modelwright.machines.service import Machines
from modelwright.system.sandbox.process import missing
from modelwright.usage.service import Usage
from modelwright.users.service import Users

POLL_SECONDS = 0.1
"""How often a worker looks for jobs."""
RENEW_SECONDS = 0.25
"""How often leases are renewed and cancelled jobs noticed."""
TAKE_OVER_SECONDS = 1.0
"""How often jobs of dead workers are looked for."""
PERIODIC_CHECK_SECONDS = 1.0
"""How often it is looked which periodic task is due."""
KEEP_SECONDS = 0.5
"""How often the worker says that it lives to those who stand by for its folder."""
GRACE_SECONDS = 3.0
"""How long jobs may go on after SIGTERM before they are handed back."""
RELEASE_SECONDS = 2.0
"""How long jobs may take to be given back as the worker stops."""
FAULT_PAUSE_SECONDS = 1.0
"""Pause after a fault, such as a database that is away."""


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job in hand."""

    step: JobContext
    lane: Lane
    thread: threading.Thread


class Worker:
    """Carries out jobs and periodic duties until told to stop."""

    def __init__(
        self,
        database: Database,
        handlers: Sequence[Handler],
        clock: Clock,
        settings: Settings,
        duties: Sequence[PeriodicTask] = (),
        owner: Owner | None = None,
        keep: Callable[[], bool] = lambda: True,
        membership: Membership | None = None,
        telemetry: Telemetry | None = None,
        tiers: Tiers = lambda _db, _accounts: {},
    ) -> None:
        self._keep = keep
        self.sole = owner is not None
        owner = owner or Owner(new_id("folder"), UNSUPERVISED, new_id("worker"))
        self.runner = Runner(database, handlers, clock, settings, owner, tiers)
        self.slots = {
            Lane.SHORT: settings.short_jobs_at_once,
            Lane.INGESTION: settings.ingestions_at_once,
            Lane.BUILD: settings.builds_at_once,
        }
        self._beside_at_most = settings.extra_jobs_at_most
        self.duties = duties
        self._membership = membership
        self._telemetry = telemetry
        self._renew_seconds = settings.lease_seconds / 3
        self._running: list[RunningJob] = []
        self._stopping = threading.Event()
        self._freed = threading.Event()
        self._last: dict[str, float] = {}
        self._log = logger()

    def stop(self) -> None:
        """Asks the loop to end; never called by a handler of signals itself."""
        self._stopping.set()
        self._freed.set()

    def drain(self) -> int:
        """Carries out everything that is due, in this thread; returns how many jobs that were."""
        done = 0
        self.runner.take_over((), sole=self.sole)
        while job := self._claim_any():
            self._carry_out(job, self.runner.begin(job))
            done += 1
        return done

    def _claim_any(self) -> Claimed | None:
        job = self.runner.claim_cancelled()
        for lane in Lane:
            job = job or self.runner.claim(lane)
        return job

    def run(self) -> None:
        """Works until stopped, then finishes or hands back what is running."""
        helper = threading.Thread(target=self._keep_duties, name="duties", daemon=True)
        helper.start()
        while not self._stopping.is_set():
            heartbeat.beat()
            self._freed.clear()
            try:
                self._turn()
            except Exception:  # noqa: BLE001 - a database that is away comes back
                self._log.exception("worker.fault")
                self._stopping.wait(FAULT_PAUSE_SECONDS)
            self._freed.wait(POLL_SECONDS)
        self._let_go()

    def _turn(self) -> None:
        if self._every("keep", KEEP_SECONDS) and not self._keep():
            # This process had stood still, and another one works here now.
            self._log.error("worker.superseded")
            self.stop()
            return
        self._running = [item for item in self._running if item.thread.is_alive()]
        self._attend()
        if self._every("take over", TAKE_OVER_SECONDS):
            self.runner.take_over({item.step.job_id for item in self._running}, sole=self.sole)
        if self._is_drained() or self.runner.idle():
            return
        while job := self.runner.claim_cancelled():
            self.runner.carry_out(job, self.runner.begin(job))
        for lane, slots in self.slots.items():
            while self._busy(lane) < slots and (job := self.runner.claim(lane)):
                self._start(job)
            self._fill_beside(lane)

    def _fill_beside(self, lane: Lane) -> None:
        """Starts jobs beside a lane's places, of accounts that have none running in it.

        A build may take all the memory that builds may, so only a small one goes beside others.
        """
        while self._busy(lane) >= self.slots[lane] and self._beside() < self._beside_at_most:
            is_first = self._busy(lane) == self.slots[lane] and lane is not Lane.BUILD
            job = self.runner.claim(lane, Beside.ANY if is_first else Beside.SMALL)
            if job is None:
                return
            self._start(job)

    def _is_drained(self) -> bool:
        """Gives a sign of life; tells whether the machine is to begin no more jobs."""
        if self._membership is None:
            return False
        self._membership.keep()
        return self._membership.is_draining

    def _beside(self) -> int:
        return sum(max(0, self._busy(lane) - slots) for lane, slots in self.slots.items())

    def _busy(self, lane: Lane) -> int:
        return sum(item.lane is lane for item in self._running)

    def _attend(self) -> None:
        if self._running and self._every("attend", RENEW_SECONDS):
            renew = self._every("renew", self._renew_seconds)
            self.runner.attend([item.step for item in self._running], renew=renew)

    def _every(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now - self._last.get(what, -seconds) < seconds:
            return False
        self._last[what] = now
        return True

    def _start(self, job: Claimed) -> None:
        step = self.runner.begin(job)

        def work() -> None:
            try:
                self._carry_out(job, step)
            finally:
                self._freed.set()

        thread = threading.Thread(target=work, name=step.job_id, daemon=True)
        self._running.append(RunningJob(step, job.lane, thread))
        thread.start()

    def _carry_out(self, job: Claimed, step: JobContext) -> None:
        if self._telemetry is None:
            self.runner.carry_out(job, step)
            return
        observed = self._telemetry.job(job.kind)
        ended = self.runner.carry_out(job, step)
        status = ended.status if ended else None
        observed.attributes["modelwright.job.outcome"] = status.value if status else "again"
        observed.end(is_error=status is Status.FAILED)

    def _let_go(self) -> None:
        heartbeat.beat(GRACE_SECONDS + RELEASE_SECONDS)
        self._outlast(GRACE_SECONDS)
        for item in self._running:
            item.step.halt(JobRequeued(item.step.job_id))
        self._outlast(RELEASE_SECONDS)
        self.runner.hand_back_rest()

    def _outlast(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._running and time.monotonic() < until:
            self._attend()
            self._freed.clear()
            self._running = [item for item in self._running if item.thread.is_alive()]
            if self._running:
                self._freed.wait(POLL_SECONDS)

    def _keep_duties(self) -> None:
        while not self._stopping.wait(PERIODIC_CHECK_SECONDS):
            for duty in self.duties:
                if self._every(duty.name, min(duty.seconds, 60.0) / 2):
                    self._do(duty)

    def do_duties(self) -> None:
        """Carries out the periodic duties that are due."""
        for duty in self.duties:
            self._do(duty)

    def _do(self, duty: PeriodicTask) -> None:
        now = self.runner.clock.now()
        try:
            with self.runner.database.transaction(ALL_ACCOUNTS) as db:
                is_ours = leases.take_periodic_task(
                    db, duty.name, now, now + timedelta(seconds=duty.seconds)
                )
            if is_ours:
                with self.runner.database.transaction(ALL_ACCOUNTS) as db:
                    duty.carry_out(db)
        except Exception:  # noqa: BLE001 - a duty may raise anything
            self._log.exception("worker.duty_failed", duty=duty.name)


def work(settings: Settings, boot: str = UNSUPERVISED) -> None:
    """Is this process's worker until SIGTERM; stands by while the data folder has another one.

    One that has been silent for as long as a lease lasts is not waited for any longer: its jobs are
    taken over as their leases run out, and when it goes on it finds that it has none.
    """
    set_up(settings.log_level)
    raise_limit()
    stopping = threading.Event()
    stops = [stopping.set]
    on_stop_signal(lambda: [stop() for stop in stops])

    def pause(seconds: float) -> bool:
        heartbeat.beat(heartbeat.START_SECONDS)
        return stopping.wait(seconds)

    settings.make_data_dir()
    path = settings.data_dir / "worker.lock"
    with living_lock(path, pause, settings.lease_seconds) as lock:
        if lock is None:
            return
        shutil.rmtree(settings.scratch_dir / "jobs", ignore_errors=True)
        _warn_of_missing_sandbox()
        keep = lock.keep
        container = _opened(
            settings,
            lambda seconds: not keep() or pause(seconds),
            is_supervised=boot != UNSUPERVISED,
        )
        if container is None:
            return
        folder = machine_id(settings.data_dir)
        usage = container.service(Usage)
        threading.Thread(target=usage.flush_regularly, name="usage", daemon=True).start()
        worker = Worker(
            container.database,
            container.handlers,
            container.clock,
            settings,
            container.duties,
            Owner(folder, boot, new_id("worker")),
            keep,
            membership := Membership(
                container.database, container.service(Machines), MachinePart.WORKER
            ),
            telemetry := start_telemetry(settings, MachinePart.WORKER),
            container.service(Users).tiers,
        )
        stops.append(worker.stop)
        if not stopping.is_set():
            worker.run()
        membership.leave()
        if telemetry is not None:
            telemetry.stop()
        usage.stop()
        container.database.close()


def _opened(
    settings: Settings, pause: Callable[[float], bool], *, is_supervised: bool
) -> Container | None:
    """Builds the container and checks its object store; waits for what is away.

    One that nobody starts again ends with the reason instead. None when told to stop meanwhile.
    """
    if not is_supervised:
        container = open_container(settings, pause)
        check_everything(container)
        return container
    opened = until_there(lambda: open_container(settings, pause), pause)
    if opened is None or until_there(lambda: _is_usable(opened), pause) is None:
        return None
    return opened


def _is_usable(container: Container) -> bool:
    check_object_store(container)
    return True


def _warn_of_missing_sandbox() -> None:
    for layer, without in missing().items():
        logger().warning("sandbox.missing", layer=layer, without_it=without)
