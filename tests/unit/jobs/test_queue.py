"""Asking for work, and how its end is settled."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.orm import Session
from tests.unit.jobs.conftest import ANA, BEN, Queue

from modelwright.core.db.database import ALL_ACCOUNTS, UnscopedError
from modelwright.core.errors import InvalidRequest, NotFound
from modelwright.core.http.paging import Page
from modelwright.jobs import service
from modelwright.jobs.context import ChildKilled, JobContext
from modelwright.jobs.domain import MAX_CRASHES, MAX_FAILURES, Lane, Status
from modelwright.jobs.errors import JobOver, NoWorker, TooManyWaiting

TARGETS = "tests.unit.jobs.targets"


def fail(_step: JobContext) -> None:
    raise ValueError("secret detail")


def refuse(_step: JobContext) -> None:
    raise InvalidRequest("The file is empty.")


class TestEnqueue:
    def test_a_job_is_there_only_when_the_transaction_commits(self, queue: Queue):
        with pytest.raises(InvalidRequest), queue.database.transaction(ANA) as db:
            self.enqueue_and_refuse(queue, db)
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.list_(db, Page(20, 0)) == ([], 0)

    def enqueue_and_refuse(self, queue: Queue, db: Session) -> None:
        queue.jobs.enqueue(db, "processing", "thing")
        raise InvalidRequest("The rest was bad.")

    def test_a_job_waits_for_no_clock_that_was_set_back(self, queue: Queue):
        queue.ask()
        queue.clock.advance(hours=-1)
        assert not queue.worker().runner.idle()
        assert queue.worker().drain() == 1

    def test_without_an_account_it_is_refused(self, queue: Queue):
        with pytest.raises(UnscopedError), queue.database.transaction() as db:
            queue.jobs.enqueue(db, "processing", "thing")

    def test_an_account_has_so_many_waiting_and_no_more(
        self, queue: Queue, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(service, "MAX_WAITING_JOBS", 3)
        for _ in range(3):
            queue.ask()
        with pytest.raises(TooManyWaiting, match="3 of your jobs wait"):
            queue.ask()
        queue.ask(account=BEN)
        queue.worker().drain()
        queue.ask()

    def test_another_account_does_not_see_it(self, queue: Queue):
        job_id = queue.ask()
        with queue.database.transaction(BEN) as db:
            with pytest.raises(NotFound):
                queue.jobs.read(db, job_id)
            assert queue.jobs.list_(db, Page(20, 0)) == ([], 0)
            assert queue.jobs.cancel_for(db, "processing", "thing") == 0

    def test_the_newest_job_of_a_subject_is_found(self, queue: Queue):
        queue.ask()
        newest = queue.ask()
        queue.ask("other thing")
        with queue.database.transaction(ANA) as db:
            found = queue.jobs.latest_for(db, "processing", "thing")
        assert found is not None
        assert found.job_id == newest


class TestWaiting:
    def test_a_job_that_waits_tells_how_many_of_its_lane_run_whoever_owns_them(self, queue: Queue):
        queue.ask("theirs", account=BEN)
        mine, build = queue.ask("mine"), queue.ask(handler=queue.build)
        assert queue.worker().runner.claim(Lane.SHORT)
        with queue.database.transaction(ANA, write=False) as db:
            stages = {one.job_id: one.stage for one in queue.jobs.list_(db, Page(20, 0))[0]}
            assert queue.jobs.read(db, mine).stage == stages[mine]
        assert stages == {mine: "waiting its turn: 1 job is running", build: ""}


class TestEndings:
    def test_work_that_returns_is_completed(self, queue: Queue):
        job_id = queue.ask()
        assert queue.worker().drain() == 1
        facts = queue.read(job_id)
        assert (facts.status, facts.progress, facts.error) == (Status.COMPLETED, 100, None)
        assert facts.started_at == facts.completed_at == queue.clock.now()

    def test_a_refusal_fails_at_once_with_its_sentence(self, queue: Queue):
        queue.short.script = refuse
        job_id = queue.ask()
        assert queue.worker().drain() == 1
        facts = queue.read(job_id)
        assert (facts.status, facts.error) == (Status.FAILED, "The file is empty.")
        assert queue.short.given_up == [("thing", "The file is empty.")]

    def test_an_unexpected_error_is_tried_again_then_failed_without_its_detail(self, queue: Queue):
        queue.short.script = fail
        job_id = queue.ask()
        worker = queue.worker()
        for _ in range(MAX_FAILURES):
            assert worker.drain() == 1
            assert worker.drain() == 0
            queue.clock.advance(minutes=2)
        facts = queue.read(job_id)
        assert facts.status is Status.FAILED
        assert "3 times" in str(facts.error)
        assert "secret" not in str(facts.error)
        assert len(queue.short.given_up) == 1

    def test_the_subject_ends_in_the_jobs_own_transaction(self, queue: Queue):
        def mend(db: Session) -> None:
            queue.jobs.enqueue(db, "build", "in the same transaction")
            if len(queue.short.given_up) == 1:
                raise ValueError("not this time")

        queue.short.script, queue.short.at_the_end = refuse, mend
        job_id = queue.ask()
        queue.worker().drain()
        assert queue.read(job_id).status is Status.PENDING
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.latest_for(db, "build", "in the same transaction") is None
        queue.clock.advance(minutes=1)
        queue.worker().drain()
        assert queue.read(job_id).status is Status.FAILED
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.latest_for(db, "build", "in the same transaction") is not None


class TestChildren:
    def child(self, queue: Queue, target: str, seconds: float = 60) -> str:
        def run(step: JobContext) -> None:
            step.child(f"{TARGETS}:{target}", {"number": 4}, memory_mb=200, seconds=seconds)

        queue.short.script = run
        return queue.ask()

    def test_its_reports_become_progress_and_log(self, queue: Queue):
        job_id = self.child(queue, "double")
        queue.worker().drain()
        assert queue.read(job_id).status is Status.COMPLETED
        with queue.database.transaction(ANA) as db:
            lines, total = queue.jobs.logs(db, Page(10, 0), job_id=job_id)
        assert ([line.message for line in lines], total) == (["doubling 4"], 1)
        assert lines[0].resource == {"upload_id": "thing"}

    @pytest.mark.parametrize(
        ("target", "seconds", "sentence"),
        [
            ("grow", 60, "It needed more than 200 MB of memory."),
            ("have_a_family", 0.8, "It took longer than 0.8 seconds."),
            ("refuse", 60, "line 3 has too few cells"),
        ],
    )
    def test_a_limit_or_a_refusal_fails_at_once(
        self, queue: Queue, target: str, seconds: float, sentence: str
    ):
        job_id = self.child(queue, target, seconds)
        queue.worker().drain()
        facts = queue.read(job_id)
        assert (facts.status, facts.error) == (Status.FAILED, sentence)

    def test_a_full_disk_puts_a_job_off_until_there_is_room(self, queue: Queue):
        job_id = self.child(queue, "fill_the_disk")
        for _ in range(MAX_FAILURES):
            queue.worker().drain()
            assert queue.read(job_id).status is Status.PENDING
            queue.clock.advance(minutes=2)
        queue.short.script = lambda _step: None
        queue.worker().drain()
        assert queue.read(job_id).status is Status.COMPLETED

    @pytest.mark.parametrize(
        ("target", "last"),
        [
            ("crash", "killed by SIGSEGV."),
            ("run_out_of_memory", "fewer rows or columns need less."),
        ],
    )
    def test_a_job_that_kills_its_process_three_times_is_failed(
        self, queue: Queue, target: str, last: str
    ):
        job_id = self.child(queue, target)
        for _ in range(MAX_CRASHES):
            assert queue.worker().drain() == 1
            queue.clock.advance(minutes=2)
        facts = queue.read(job_id)
        assert facts.status is Status.FAILED
        error = str(facts.error)
        assert error.startswith("It was stopped after its process crashed 3 times. Its process was")
        assert error.endswith(last)

    def test_its_temporary_files_go_with_the_step(self, queue: Queue):
        seen = []

        def run(step: JobContext) -> None:
            told = step.child(f"{TARGETS}:show_environment", {}, memory_mb=200, seconds=60)
            seen.append((Path(told["TMPDIR"]), step.scratch))

        queue.short.script = run
        queue.ask()
        queue.worker().drain()
        [(temporary, scratch)] = seen
        assert temporary == scratch
        assert not scratch.exists()

    def test_a_handler_may_make_the_best_of_a_killed_child(self, queue: Queue):
        def run(step: JobContext) -> None:
            with pytest.raises(ChildKilled):
                step.child(f"{TARGETS}:leave", {}, memory_mb=200, seconds=5)

        queue.short.script = run
        job_id = queue.ask()
        queue.worker().drain()
        assert queue.read(job_id).status is Status.COMPLETED


class TestCancelling:
    def test_a_waiting_job_never_begins(self, queue: Queue):
        job_id = queue.ask()
        assert queue.cancel(job_id).cancel_requested
        queue.worker().drain()
        assert queue.read(job_id).status is Status.CANCELLED
        assert queue.short.ran == []
        assert queue.short.given_up == [("thing", "It was cancelled.")]

    def test_a_job_waiting_for_later_ends_now(self, queue: Queue):
        queue.short.script = fail
        job_id = queue.ask()
        queue.worker().drain()
        queue.cancel(job_id)
        queue.worker().drain()
        assert queue.read(job_id).status is Status.CANCELLED

    def test_a_running_jobs_next_transaction_is_refused(self, queue: Queue):
        def run(step: JobContext) -> None:
            with step.transaction() as db:
                queue.jobs.enqueue(db, "build", "kept")
            queue.cancel(step.job_id)
            with step.transaction() as db:
                queue.jobs.enqueue(db, "build", "not kept")

        queue.short.script = run
        job_id = queue.ask()
        queue.worker(builds_at_once=1).drain()
        assert queue.read(job_id).status is Status.CANCELLED
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.latest_for(db, "build", "kept") is not None
            assert queue.jobs.latest_for(db, "build", "not kept") is None

    def test_a_job_that_was_done_before_it_noticed_stays_done(self, queue: Queue):
        queue.short.script = lambda step: queue.cancel(step.job_id) and None
        job_id = queue.ask()
        queue.worker().drain()
        assert queue.read(job_id).status is Status.COMPLETED

    def test_a_finished_job_is_a_conflict(self, queue: Queue):
        job_id = queue.ask()
        queue.worker().drain()
        with pytest.raises(JobOver, match="COMPLETED"):
            queue.cancel(job_id)

    def test_all_jobs_of_a_subject_are_cancelled_together(self, queue: Queue):
        cancelled = [queue.ask(), queue.ask()]
        queue.ask("other")
        with queue.database.transaction(ANA) as db:
            assert queue.jobs.cancel_for(db, "processing", "thing") == 2
        queue.worker().drain()
        assert {queue.read(job_id).status for job_id in cancelled} == {Status.CANCELLED}
        assert queue.short.ran == ["other"]


class TestProgress:
    def test_it_never_falls_not_even_when_tried_again(self, queue: Queue):
        def run(step: JobContext) -> None:
            step.progress(60 if step.attempt == 1 else 10, f"attempt {step.attempt}")
            step.progress(30, f"attempt {step.attempt}, later")
            raise ValueError("again")

        queue.short.script = run
        job_id = queue.ask()
        seen = []
        for _ in range(2):
            queue.worker().drain()
            facts = queue.read(job_id)
            seen.append((facts.progress, facts.stage))
            queue.clock.advance(minutes=2)
        assert seen == [(60, "attempt 1, later"), (60, "attempt 2, later")]

    def test_log_lines_told_inside_a_transaction_that_fails_are_kept(self, queue: Queue):
        def run(step: JobContext) -> None:
            with step.transaction():
                step.log("before")
                step.progress(5, "trying")
                raise InvalidRequest("No.")

        queue.short.script = run
        job_id = queue.ask()
        queue.worker().drain()
        with queue.database.transaction(ANA) as db:
            lines, _ = queue.jobs.logs(db, Page(10, 0), kind="processing")
        assert [(line.job_id, line.message) for line in lines] == [(job_id, "before")]

    def test_the_folder_of_an_attempt_is_its_own_and_goes_with_it(self, queue: Queue):
        seen = []

        def run(step: JobContext) -> None:
            (step.scratch / "part").write_text("x")
            seen.append(step.scratch)
            if step.attempt == 1:
                raise ValueError("again")

        queue.short.script = run
        queue.ask()
        queue.worker().drain()
        queue.clock.advance(minutes=2)
        queue.worker().drain()
        assert len(set(seen)) == 2
        assert not any(folder.exists() for folder in seen)


class TestDuties:
    def test_a_duty_is_carried_out_once_in_its_time_by_any_worker(self, queue: Queue):
        from modelwright.jobs.context import PeriodicTask

        done: list[str] = []
        workers = [queue.worker(), queue.worker()]
        for worker in workers:
            worker.duties = [PeriodicTask("sweep", 60, lambda _db: done.append("swept"))]

        def round_of_all() -> int:
            for worker in workers:
                worker.do_duties()
            return len(done)

        assert [round_of_all(), round_of_all()] == [1, 1]
        queue.clock.moment += timedelta(seconds=60)
        assert round_of_all() == 2

    def test_a_clock_that_was_set_back_keeps_none_waiting(self, queue: Queue):
        from modelwright.jobs.context import PeriodicTask

        done: list[str] = []
        worker = queue.worker()
        worker.duties = [PeriodicTask("sweep", 60, lambda _db: done.append("swept"))]
        worker.do_duties()
        queue.clock.moment -= timedelta(days=3650)
        worker.do_duties()
        worker.do_duties()
        assert len(done) == 2


class TestProbe:
    def probe(self, queue: Queue) -> None:
        with queue.database.transaction(ALL_ACCOUNTS, write=False) as db:
            queue.jobs.probe(db)

    def test_work_that_nobody_begins_is_told(self, queue: Queue):
        queue.ask()
        self.probe(queue)
        queue.clock.advance(seconds=61)
        with pytest.raises(NoWorker):
            self.probe(queue)
        queue.worker().drain()
        self.probe(queue)

    def test_waiting_behind_work_of_the_same_lane_is_well(self, queue: Queue):
        queue.ask()
        queue.ask()
        queue.worker().runner.claim(Lane.SHORT)
        queue.clock.advance(seconds=61)
        self.probe(queue)

    def test_work_whose_worker_stands_still_is_told(self, queue: Queue):
        queue.ask()
        queue.worker().runner.claim(Lane.SHORT)
        queue.clock.advance(seconds=queue.settings.lease_seconds + 61)
        with pytest.raises(NoWorker, match="61 seconds"):
            self.probe(queue)
        queue.worker().drain()
        self.probe(queue)

    def test_of_each_lane_the_age_of_its_oldest_is_known(self, queue: Queue):
        queue.ask(handler=queue.build)
        queue.clock.advance(seconds=7)
        queue.ask()
        with queue.database.transaction(ALL_ACCOUNTS, write=False) as db:
            assert dict(queue.jobs.oldest_due(db)) == {"build": 7.0, "short": 0.0}
