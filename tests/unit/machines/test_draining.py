"""A machine that is drained begins no more jobs, and the command says what it still does."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
import typer
from tests.unit.jobs.conftest import ANA, Scripted
from typer.testing import CliRunner, Result

from modelwright.bootstrap.container import Container
from modelwright.cli.commands import register
from modelwright.core.clock import SystemClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.ids import new_id
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import Owner
from modelwright.jobs.service import Jobs
from modelwright.machines.domain import MachinePart
from modelwright.machines.identity import identity
from modelwright.machines.membership import CHECK_SECONDS, Membership
from modelwright.machines.service import Machines
from modelwright.processes.worker import Worker

PATIENCE_SECONDS = 60.0
IDLE_SECONDS = 2 * CHECK_SECONDS
"""In which a worker that is not drained would have begun what waits."""


class Held(Scripted):
    """A handler that works until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        super().__init__(script=self._wait)

    def _wait(self, _step: JobContext) -> None:
        assert self.go.wait(PATIENCE_SECONDS)


@pytest.fixture
def handler() -> Iterator[Held]:
    held = Held()
    yield held
    held.go.set()


@pytest.fixture
def ask(container: Container, handler: Held) -> Callable[[str], None]:
    """Asks for a job on a subject."""

    def asked(subject: str) -> None:
        with container.database.transaction(ANA) as db:
            Jobs(SystemClock()).enqueue(
                db, handler.kind, subject, lane=handler.lane, resource={"upload_id": subject}
            )

    return asked


@pytest.fixture
def membership(container: Container, settings: Settings, handler: Held) -> Iterator[Membership]:
    """What this machine's worker, which is at work, is told of its machine."""
    clock, here = SystemClock(), identity(settings)
    machines = Machines(clock, here)
    with container.database.transaction(ALL_ACCOUNTS) as db:
        machines.beat(db, MachinePart.WORKER)
    membership = Membership(container.database, machines, MachinePart.WORKER)
    working = Worker(
        container.database,
        [handler],
        clock,
        settings,
        owner=Owner(here.machine_id, "boot", new_id("worker")),
        membership=membership,
    )
    thread = threading.Thread(target=working.run, daemon=True)
    thread.start()
    yield membership
    handler.go.set()
    working.stop()
    thread.join()


def drain(*words: str) -> Result:
    app = typer.Typer()
    register(app)
    return CliRunner().invoke(app, ["drain", *words])


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.usefixtures("command_line")
class TestDrain:
    def test_ends_what_runs_begins_nothing_and_takes_work_again_when_undone(
        self, handler: Held, ask: Callable[[str], None], membership: Membership
    ):
        ask("first")
        until(lambda: handler.ran == ["first"])
        busy = drain("--wait", "0")
        assert busy.exit_code == 1
        assert "is still busy with 1 jobs; it begins nothing new." in busy.output
        until(lambda: membership.is_draining)
        ask("second")
        handler.go.set()
        done = drain("--wait", str(PATIENCE_SECONDS))
        assert (done.exit_code, "has nothing left to do" in done.output) == (0, True)
        time.sleep(IDLE_SECONDS)
        assert handler.ran == ["first"]
        assert "works again" in drain("--undo").output
        until(lambda: handler.ran == ["first", "second"])
