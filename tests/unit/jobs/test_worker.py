"""The loop itself, with real threads, real children and the real clock."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psutil
import pytest
from tests.unit.jobs.conftest import ANA, BEN, Queue

from modelwright.core.clock import SystemClock
from modelwright.core.ids import AccountId, JobId
from modelwright.jobs import subprocesses
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import Status
from modelwright.jobs.service import Jobs
from modelwright.processes import worker as loop
from modelwright.processes.worker import Worker

SOON = 30.0


@pytest.fixture
def queue(queue: Queue) -> Queue:
    queue.clock = SystemClock()  # type: ignore[assignment]
    queue.jobs = Jobs(queue.clock)
    return queue


@contextmanager
def working(queue: Queue, **changes: object) -> Iterator[Worker]:
    worker = queue.worker(**changes)
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield worker
    finally:
        worker.stop()
        thread.join(SOON)
        assert not thread.is_alive()


def until(true: Callable[[], bool]) -> None:
    """Waits for something."""
    end, pause = time.monotonic() + SOON, threading.Event()
    while not true():
        assert time.monotonic() < end
        pause.wait(0.005)


def is_completed(queue: Queue, job_id: JobId) -> bool:
    return queue.read(job_id).status is Status.COMPLETED


def lives(pid: int) -> bool:
    """Whether a process has not ended; one that only waits to be buried has."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Family:
    """A job whose child has children, and the numbers of all these processes."""

    def __init__(self) -> None:
        self.pids: list[int] = []

    def run(self, step: JobContext) -> None:
        if self.pids:
            return
        step.child(
            "tests.unit.jobs.targets:have_a_family",
            {},
            memory_mb=300,
            seconds=60,
            on_report=lambda report: self.pids.extend(report["pids"]),
        )

    def has_started(self) -> bool:
        return bool(self.pids)

    def is_gone(self) -> bool:
        return not any(map(lives, self.pids))


class TestLoop:
    def test_a_job_is_begun_and_ended_soon_after_it_was_asked_for(self, queue: Queue):
        with working(queue):
            job_id = queue.ask()
            until(lambda: queue.read(job_id).status is Status.COMPLETED)
        assert loop.POLL_SECONDS <= 0.1

    def test_short_jobs_do_not_wait_behind_builds(self, queue: Queue):
        hold = threading.Event()
        queue.build.script = lambda _step: hold.wait(SOON) and None
        with working(queue, builds_at_once=1):
            builds = [queue.ask(f"build {number}", handler=queue.build) for number in range(2)]
            short = queue.ask("short")
            until(lambda: queue.read(short).status is Status.COMPLETED)
            until(lambda: queue.read(builds[0]).status is Status.RUNNING)
            assert queue.read(builds[1]).status is Status.PENDING
            hold.set()
            until(lambda: queue.read(builds[1]).status is Status.COMPLETED)

    def test_long_jobs_of_one_account_do_not_keep_anothers_waiting(self, queue: Queue):
        hold = threading.Event()
        queue.short.script = lambda step: step.subject == "long" and hold.wait(SOON) and None
        with working(queue, short_jobs_at_once=2):
            long = [queue.ask("long") for _ in range(3)]
            until(lambda: queue.read(long[1]).status is Status.RUNNING)
            for subject in ("one", "another"):
                job_id = queue.ask(subject, account=BEN)
                until(partial(is_completed, queue, job_id))
            last = [queue.ask("long", account=BEN) for _ in range(2)]
            until(lambda: queue.read(last[0]).status is Status.RUNNING)
            assert queue.read(long[2]).status is Status.PENDING
            assert queue.read(last[1]).status is Status.PENDING
            hold.set()
            until(lambda: queue.read(last[1]).status is Status.COMPLETED)

    def test_long_jobs_of_two_accounts_do_not_keep_a_third_ones_waiting(self, queue: Queue):
        hold = threading.Event()
        queue.short.script = lambda step: step.subject == "long" and hold.wait(SOON) and None
        with working(queue, short_jobs_at_once=2):
            long = [queue.ask("long", account=account) for account in (ANA, BEN, ANA, BEN)]
            until(lambda: queue.read(long[1]).status is Status.RUNNING)
            third = queue.ask("one", account=AccountId("user_cleo"))
            until(lambda: queue.read(third).status is Status.COMPLETED)
            assert {queue.read(job_id).status for job_id in long[2:]} == {Status.PENDING}
            hold.set()
            until(lambda: queue.read(long[3]).status is Status.COMPLETED)

    def test_a_cancelled_jobs_processes_are_gone_within_two_seconds(self, queue: Queue):
        family = Family()
        queue.short.script = family.run
        with working(queue):
            job_id = queue.ask()
            until(family.has_started)
            queue.cancel(job_id)
            until(family.is_gone)
            until(lambda: queue.read(job_id).status is Status.CANCELLED)
        assert loop.POLL_SECONDS + loop.RENEW_SECONDS + subprocesses.TICK_SECONDS < 1.0
        assert queue.short.given_up == [("thing", "It was cancelled.")]

    def test_progress_is_seen_while_it_runs(self, queue: Queue):
        hold = threading.Event()

        def run(step: JobContext) -> None:
            step.progress(35, "half-way")
            hold.wait(SOON)

        queue.short.script = run
        with working(queue):
            job_id = queue.ask()
            until(lambda: queue.read(job_id).progress == 35)
            assert queue.read(job_id).stage == "half-way"
            hold.set()

    def test_a_fault_of_the_database_does_not_end_the_loop(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(loop, "FAULT_PAUSE_SECONDS", 0.01)
        with working(queue) as worker:
            monkeypatch.setattr(worker.runner, "idle", lambda: 1 / 0)
            job_id = queue.ask()
            time.sleep(0)
            monkeypatch.undo()
            monkeypatch.setenv("PYTHONPATH", ".")
            until(lambda: queue.read(job_id).status is Status.COMPLETED)


class TestStopping:
    def test_a_job_that_ends_in_time_is_finished(self, queue: Queue):
        begun, hold = threading.Event(), threading.Event()

        def run(_step: JobContext) -> None:
            begun.set()
            hold.wait(SOON)

        queue.short.script = run
        with working(queue) as worker:
            job_id = queue.ask()
            begun.wait(SOON)
            worker.stop()
            hold.set()
        assert queue.read(job_id).status is Status.COMPLETED

    def test_one_that_does_not_is_handed_back_and_goes_on_at_the_next_start(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(loop, "GRACE_SECONDS", 0.1)
        family = Family()
        queue.short.script = family.run
        with working(queue):
            job_id = queue.ask()
            until(family.has_started)
        until(family.is_gone)
        assert queue.read(job_id).status is Status.PENDING
        assert queue.worker().drain() == 1
        assert queue.read(job_id).status is Status.COMPLETED

    def test_one_that_heeds_nothing_is_handed_back_too(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(loop, "GRACE_SECONDS", 0.05)
        monkeypatch.setattr(loop, "RELEASE_SECONDS", 0.05)
        begun, hold = threading.Event(), threading.Event()
        late: list[str] = []

        def run(step: JobContext) -> None:
            begun.set()
            hold.wait(SOON)
            late.append(step.job_id)
            with step.transaction() as db:
                queue.jobs.enqueue(db, "build", "too late")

        queue.short.script = run
        with working(queue):
            job_id = queue.ask()
            begun.wait(SOON)
        assert queue.read(job_id).status is Status.PENDING
        hold.set()
        until(lambda: late == [job_id])
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.latest_for(db, "build", "too late") is None
