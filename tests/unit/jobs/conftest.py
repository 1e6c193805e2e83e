"""A queue with handlers that do just what a test asks of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Base, Database
from modelwright.core.ids import AccountId, JobId
from modelwright.jobs import routes
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import JobInfo, Lane
from modelwright.jobs.service import Jobs
from modelwright.processes.worker import Worker
from modelwright.server.app import create_app

ANA = AccountId("user_ana")
BEN = AccountId("user_ben")
ROOT = Path(__file__).parents[3]


@dataclass
class Scripted:
    """A handler that runs what the test gives it and notes what happened."""

    kind: str = "processing"
    lane: Lane = Lane.SHORT
    script: Callable[[JobContext], object] = lambda _step: None
    ran: list[str] = field(default_factory=list)
    given_up: list[tuple[str, str]] = field(default_factory=list)
    at_the_end: Callable[[Session], None] = lambda _db: None

    def run(self, step: JobContext) -> None:
        self.ran.append(step.subject)
        self.script(step)

    def give_up(self, db: Session, subject: str, why: str) -> None:
        self.given_up.append((subject, why))
        self.at_the_end(db)


@dataclass
class Queue:
    """The queue of a test, with one handler a lane."""

    database: Database
    jobs: Jobs
    clock: FrozenClock
    settings: Settings
    short: Scripted = field(default_factory=Scripted)
    build: Scripted = field(default_factory=lambda: Scripted("build", Lane.BUILD))

    def worker(self, **changes: object) -> Worker:
        settings = self.settings.model_copy(update=changes)
        return Worker(self.database, [self.short, self.build], self.clock, settings)

    def ask(
        self, subject: str = "thing", *, account: AccountId = ANA, handler: Scripted | None = None
    ) -> JobId:
        handler = handler or self.short
        with self.database.transaction(account) as db:
            return self.jobs.enqueue(
                db, handler.kind, subject, lane=handler.lane, resource={"upload_id": subject}
            )

    def read(self, job_id: str) -> JobInfo:
        with self.database.transaction(ALL_ACCOUNTS, write=False) as db:
            return self.jobs.read(db, job_id)

    def cancel(self, job_id: str, account: AccountId = ANA) -> JobInfo:
        with self.database.transaction(account) as db:
            return self.jobs.cancel(db, job_id)


@pytest.fixture
def container(container: Container) -> Container:
    Base.metadata.create_all(container.database.engine)
    container.services.setdefault(Jobs, Jobs(container.clock))
    return container


@pytest.fixture
def anonymous_client(container: Container) -> Iterator[TestClient]:
    app = create_app(container)
    if not any(getattr(route, "path", "") == "/jobs" for route in app.routes):
        app.router.routes.extend(routes.router.routes)
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.fixture
def queue(container: Container, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Queue:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return Queue(container.database, container.service(Jobs), clock, container.settings)
