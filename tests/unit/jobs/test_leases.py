"""Who has a job: claims that race, leases that run out, turns between accounts."""

import threading
from collections import Counter

import pytest
from tests.unit.jobs.conftest import ANA, BEN, Queue

from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Tier
from modelwright.core.ids import AccountId
from modelwright.jobs.domain import MAX_CRASHES, UNSUPERVISED, Lane, Owner, Status
from modelwright.jobs.errors import LeaseLost
from modelwright.jobs.leases import Claimed
from modelwright.jobs.runner import Beside
from modelwright.jobs.service import SMALL_BYTES
from modelwright.processes.worker import Worker


def claim(worker: Worker, lane: Lane = Lane.SHORT) -> Claimed:
    job = worker.runner.claim(lane)
    assert job is not None
    return job


class TestClaims:
    def test_many_workers_never_get_the_same_job(self, queue: Queue):
        asked = [queue.ask(f"thing {number}") for number in range(30)]
        got: list[str] = []
        workers = [queue.worker(short_jobs_per_account="30") for _ in range(4)]
        start = threading.Barrier(len(workers))

        def take(worker: Worker) -> None:
            start.wait()
            while job := worker.runner.claim(Lane.SHORT):
                got.append(job.lease.job_id)

        threads = [threading.Thread(target=take, args=(worker,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(got) == Counter(asked)

    def test_accounts_take_turns(self, queue: Queue):
        for number in range(3):
            queue.ask(f"ana {number}")
        queue.ask("ben 0", account=BEN)
        queue.worker().drain()
        assert queue.short.ran == ["ana 0", "ben 0", "ana 1", "ana 2"]

    def test_of_accounts_that_asked_in_one_moment_the_first_is_served_first(self, queue: Queue):
        queue.ask("ben", account=BEN)
        queue.ask("ana")
        queue.worker().drain()
        assert queue.short.ran == ["ben", "ana"]

    def test_an_account_has_so_many_builds_at_once(self, queue: Queue):
        for account in (ANA, ANA, BEN, AccountId("user_cem")):
            queue.ask(account, account=account, handler=queue.build)
        worker = queue.worker(builds_per_account=1)
        first, second = claim(worker, Lane.BUILD), claim(worker, Lane.BUILD)
        third = claim(queue.worker(builds_per_account=1), Lane.BUILD)
        assert {first.subject, second.subject, third.subject} == {ANA, BEN, "user_cem"}
        assert worker.runner.claim(Lane.BUILD) is None
        worker.runner.carry_out(first, worker.runner.begin(first))
        assert claim(worker, Lane.BUILD).subject == ANA

    def test_a_kind_nobody_here_does_is_left_alone(self, queue: Queue):
        with queue.database.transaction(ANA) as db:
            job_id = queue.jobs.enqueue(db, "unheard of", "thing")
        assert queue.worker().drain() == 0
        assert queue.read(job_id).status is Status.PENDING


class TestLeases:
    def test_a_silent_workers_job_goes_to_another_when_its_lease_runs_out(self, queue: Queue):
        job_id = queue.ask()
        claim(queue.worker())
        other = queue.worker()
        queue.clock.advance(seconds=queue.settings.lease_seconds - 1)
        assert other.drain() == 0
        queue.clock.advance(seconds=2)
        assert other.drain() == 1
        assert queue.read(job_id).status is Status.COMPLETED

    def test_a_renewed_lease_holds(self, queue: Queue):
        queue.ask()
        worker = queue.worker()
        step = worker.runner.begin(claim(worker))
        queue.clock.advance(seconds=queue.settings.lease_seconds - 1)
        worker.runner.attend([step], renew=True)
        queue.clock.advance(seconds=queue.settings.lease_seconds - 1)
        assert queue.worker().drain() == 0
        step.check()

    def test_who_lost_the_lease_can_change_nothing_more(self, queue: Queue):
        job_id = queue.ask()
        late, other = queue.worker(), queue.worker()
        job = claim(late)
        step = late.runner.begin(job)
        queue.clock.advance(minutes=1)
        queue.short.script = lambda step: step.progress(50, "taken over")
        other.drain()
        with pytest.raises(LeaseLost), step.transaction():
            pytest.fail("the transaction was opened")
        step.progress(99, "too late")
        step.log("too late")
        queue.short.script = lambda _step: None
        late.runner.carry_out(job, step)
        assert queue.read(job_id).stage == "taken over"
        late.runner.attend([step], renew=True)
        with pytest.raises(LeaseLost):
            step.check()

    def test_the_same_worker_twice_on_a_job_is_told_apart(self, queue: Queue):
        queue.ask()
        worker = queue.worker()
        first = worker.runner.begin(claim(worker))
        queue.clock.advance(minutes=1)
        worker.runner.take_over((), sole=False)
        second = worker.runner.begin(claim(worker))
        with pytest.raises(LeaseLost), first.transaction():
            pytest.fail("the transaction was opened")
        with second.transaction():
            pass

    def test_a_worker_never_takes_over_what_it_is_busy_with(self, queue: Queue):
        job_id = queue.ask()
        worker = queue.worker()
        claim(worker)
        queue.clock.advance(minutes=1)
        assert worker.runner.take_over({job_id}, sole=True) == 0


class TestDeaths:
    def after_death(self, queue: Queue, dead: Owner, alive: Owner, times: int) -> str:
        job_id = queue.ask()
        for number in range(times):
            killed = queue.worker()
            killed.runner.owner = dead._replace(name=f"dead {number}")
            claim(killed)
            heir = queue.worker()
            heir.runner.owner = alive
            assert heir.runner.take_over((), sole=True) == 1
        return job_id

    @pytest.mark.parametrize("boot", ["same", UNSUPERVISED])
    def test_a_job_that_takes_its_worker_down_three_times_is_failed(self, queue: Queue, boot: str):
        dead = Owner("folder", boot, "")
        job_id = self.after_death(queue, dead, Owner("folder", "same", "heir"), MAX_CRASHES)
        queue.worker().drain()
        facts = queue.read(job_id)
        assert facts.status is Status.FAILED
        assert "crashed 3 times" in str(facts.error)
        assert queue.short.ran == []

    def test_being_killed_with_everything_else_is_not_the_jobs_fault(self, queue: Queue):
        dead = Owner("folder", "an earlier start", "")
        job_id = self.after_death(queue, dead, Owner("folder", "this start", "heir"), 10)
        queue.worker().drain()
        assert queue.read(job_id).status is Status.COMPLETED

    def test_another_folders_worker_may_be_alive(self, queue: Queue):
        queue.ask()
        claim(queue.worker())
        heir = queue.worker()
        assert heir.runner.take_over((), sole=True) == 0

    def test_a_job_that_is_begun_for_ever_comes_to_an_end(self, queue: Queue):
        from modelwright.jobs.orm import JobRecord

        job_id = queue.ask()
        with queue.database.transaction(ALL_ACCOUNTS) as db:
            row = db.get(JobRecord, job_id)
            assert row is not None
            row.attempts = 100
        queue.worker().drain()
        assert queue.read(job_id).error == "It was begun 100 times without coming to an end."


class TestBeside:
    """Jobs that go beside those that take all places of their lane."""

    CLEO = AccountId("user_cleo")

    def ask(self, queue: Queue, account: AccountId, reads_bytes: int) -> str:
        with queue.database.transaction(account) as db:
            return queue.jobs.enqueue(db, "processing", account, reads_bytes=reads_bytes)

    def test_only_small_ones_of_accounts_that_have_none_running(self, queue: Queue):
        runner = queue.worker().runner
        self.ask(queue, ANA, 1)
        claim(queue.worker())
        self.ask(queue, ANA, 1)
        self.ask(queue, BEN, SMALL_BYTES + 1)
        small = self.ask(queue, self.CLEO, SMALL_BYTES)
        found = runner.claim(Lane.SHORT, Beside.SMALL)
        assert found is not None
        assert found.lease.job_id == small
        assert runner.claim(Lane.SHORT, Beside.SMALL) is None
        large = runner.claim(Lane.SHORT, Beside.ANY)
        assert large is not None
        assert large.account_id == BEN
        assert runner.claim(Lane.SHORT, Beside.ANY) is None

    @pytest.mark.parametrize(("tier", "most"), [(Tier.BASIC, 2), (Tier.PRO, 4), (None, 8)])
    def test_of_one_account_as_many_run_as_its_tier_says(
        self, queue: Queue, tier: Tier | None, most: int
    ):
        runner = queue.worker().runner
        runner._tiers = lambda _db, accounts: dict.fromkeys(accounts, tier) if tier else {}
        for _ in range(9):
            queue.ask()
        got = [runner.claim(Lane.SHORT) for _ in range(9)]
        assert len([job for job in got if job]) == most

    def test_lanes_do_not_count_for_each_other(self, queue: Queue):
        runner = queue.worker(builds_per_account="1", short_jobs_per_account="1").runner
        queue.ask()
        queue.ask(handler=queue.build)
        assert runner.claim(Lane.BUILD)
        assert runner.claim(Lane.SHORT)
