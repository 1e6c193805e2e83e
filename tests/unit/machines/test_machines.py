"""Signs of life, draining, leading, and the name that a data folder keeps."""

import shutil
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.orm import Session
from tests.conftest import POSTGRES

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import NotFound
from modelwright.machines.domain import MachineIdentity, MachinePart
from modelwright.machines.errors import MachineSilent
from modelwright.machines.identity import ID_FILE, PLACE_FILE, machine_id
from modelwright.machines.service import Machines

FIRST = MachineIdentity("machine_1", "one", "127.0.0.1:1", "0.1.0", 4)
SECOND = MachineIdentity("machine_2", "two", "127.0.0.1:2", "0.1.0", 8)


@pytest.fixture
def machines(clock: FrozenClock) -> tuple[Machines, Machines]:
    return Machines(clock, FIRST), Machines(clock, SECOND)


@pytest.fixture
def db(container: Container) -> AbstractContextManager[Session]:
    return container.database.transaction(ALL_ACCOUNTS)


class TestBeat:
    def test_tells_what_runs_where(
        self, machines: tuple[Machines, Machines], db: AbstractContextManager[Session]
    ):
        first, second = machines
        with db as tx:
            first.beat(tx, MachinePart.API)
            first.beat(tx, MachinePart.REPLICAS)
            second.beat(tx, MachinePart.WORKER)
            now = first.now(tx)
            told = {one.name: one.parts(now) for one in second.list_(tx)}
            assert told == {
                "one": [MachinePart.API, MachinePart.REPLICAS],
                "two": [MachinePart.WORKER],
            }
            assert [one.name for one in first.hosts(tx)] == ["one"]

    @pytest.mark.skipif(bool(POSTGRES), reason="goes by the clock of the database")
    def test_that_is_missing_is_noticed_but_not_of_what_was_stopped(
        self,
        machines: tuple[Machines, Machines],
        db: AbstractContextManager[Session],
        clock: FrozenClock,
    ):
        first, second = machines
        with db as tx:
            first.beat(tx, MachinePart.API)
            second.beat(tx, MachinePart.API)
            second.beat(tx, MachinePart.WORKER)
            first.probe(tx)
            clock.advance(seconds=9)
            first.beat(tx, MachinePart.API)
            with pytest.raises(MachineSilent, match="two gives no sign of life of its api, worker"):
                first.probe(tx)
            second.leave(tx, MachinePart.API)
            second.leave(tx, MachinePart.WORKER)
            first.probe(tx)

    @pytest.mark.skipif(bool(POSTGRES), reason="goes by the clock of the database")
    def test_that_is_missing_for_long_is_forgotten(
        self,
        machines: tuple[Machines, Machines],
        db: AbstractContextManager[Session],
        clock: FrozenClock,
    ):
        first, second = machines
        with db as tx:
            second.beat(tx, MachinePart.API)
            clock.advance(days=2)
            first.beat(tx, MachinePart.API)
            first.sweep(tx)
            assert [one.name for one in first.list_(tx)] == ["one"]


class TestDrain:
    def test_holds_until_it_is_undone_whatever_the_machine_says(
        self, machines: tuple[Machines, Machines], db: AbstractContextManager[Session]
    ):
        first, second = machines
        with db as tx:
            first.beat(tx, MachinePart.WORKER)
            assert second.drain(tx, "machine_1", is_draining=True).is_draining
            first.beat(tx, MachinePart.WORKER)
            assert (first.is_draining(tx), second.is_draining(tx)) == (True, False)
            first.drain(tx, "machine_1", is_draining=False)
            assert not first.is_draining(tx)

    def test_refuses_a_machine_that_is_not_there(
        self, machines: tuple[Machines, Machines], db: AbstractContextManager[Session]
    ):
        with db as tx, pytest.raises(NotFound, match="machine_9"):
            machines[0].drain(tx, "machine_9", is_draining=True)


class TestLead:
    def test_is_one_machine_s_until_it_gives_it_up_or_says_nothing(
        self, machines: tuple[Machines, Machines], db: AbstractContextManager[Session]
    ):
        first, second = machines
        with db as tx:
            assert first.lead(tx, "replicas", 60)
            assert not second.lead(tx, "replicas", 60)
            assert first.lead(tx, "replicas", 60)
            assert second.lead(tx, "something else", 60)
            first.give_up_lead(tx)
            assert second.lead(tx, "replicas", -timedelta(seconds=1).total_seconds())
            assert first.lead(tx, "replicas", 60)


class TestName:
    def test_is_kept_in_the_data_folder(self, tmp_path: Path):
        made = machine_id(tmp_path)
        assert made.startswith("machine_")
        assert machine_id(tmp_path) == made == (tmp_path / ID_FILE).read_text()

    def test_is_the_one_that_the_folder_s_jobs_are_known_by(self, tmp_path: Path):
        (tmp_path / "worker.lock").write_text("folder_0192")
        assert machine_id(tmp_path) == "folder_0192"

    def test_a_copied_folder_is_another_machine(self, tmp_path: Path):
        """Two workers of one name would take each other's jobs for those of the dead."""
        (tmp_path / "first").mkdir()
        first = machine_id(tmp_path / "first")
        shutil.copytree(tmp_path / "first", tmp_path / "second")
        second = machine_id(tmp_path / "second")
        assert second != first
        assert (machine_id(tmp_path / "first"), machine_id(tmp_path / "second")) == (first, second)

    def test_a_moved_folder_and_one_of_an_earlier_program_stay_the_same(self, tmp_path: Path):
        (tmp_path / "first").mkdir()
        made = machine_id(tmp_path / "first")
        (tmp_path / "first" / PLACE_FILE).unlink()
        assert machine_id(tmp_path / "first") == made
        (tmp_path / "first").rename(tmp_path / "second")
        assert machine_id(tmp_path / "second") == made
