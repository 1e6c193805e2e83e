"""`modelwright users deactivate`: an account that is shut out is shut, and opens as it was."""

import select
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from tests.api_helpers import error_of
from tests.built_models import GENTOO
from tests.factories import CHURN, ModelSide
from tests.live_server import serving
from typer.testing import CliRunner

from modelwright.bootstrap.container import Container
from modelwright.cli.users import users_app
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.processes.worker import Worker
from modelwright.server.app import create_app
from modelwright.storage import service as storage_service
from modelwright.users.orm import UserRecord
from modelwright.users.service import Users

ANA = "ana@example.org"
FILES = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
SLOW_SQL = "select count(*) from range(100000) a, range(100000) b where a.range * b.range % 7 = 3"


def deactivate(container: Container) -> None:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        container.service(Users).deactivate(db, ANA)


def deactivate_elsewhere(container: Container) -> None:
    """What this process sees of a command in another one: rows alone, and nothing announced."""
    with container.database.transaction(ALL_ACCOUNTS) as db:
        db.execute(update(UserRecord).where(UserRecord.email == ANA).values(is_active=False))


def activate(container: Container) -> None:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        container.service(Users).activate(db, ANA)


def carry_out(container: Container, name: str) -> None:
    duty = next(duty for duty in container.duties if duty.name == name)
    with container.database.transaction(ALL_ACCOUNTS) as db:
        duty.carry_out(db)


class TestCommand:
    @pytest.mark.usefixtures("command_line", "api")
    def test_shuts_out_and_lets_in_again(self, api: TestClient):
        gone = CliRunner().invoke(users_app, ["deactivate", ANA])
        assert gone.output.strip().endswith("deactivated")
        assert api.get("/models").status_code == 403
        back = CliRunner().invoke(users_app, ["activate", ANA])
        assert back.output.strip().endswith("active")
        assert api.get("/models").status_code == 200


class TestJobs:
    def test_those_that_wait_never_begin(
        self, container: Container, model_side: ModelSide, worker: Callable[[], int]
    ):
        version = model_side.draft("churn")
        deactivate(container)
        worker()
        with container.database.transaction(ALL_ACCOUNTS) as db:
            job = container.service(Jobs).latest_for(db, Kind.BUILD, version.version_id)
        assert job is not None
        assert job.status == "CANCELLED"

    def test_what_is_asked_for_at_the_last_moment_is_stopped_too(
        self, container: Container, model_side: ModelSide, worker: Callable[[], int]
    ):
        deactivate(container)
        version = model_side.draft("churn")
        carry_out(container, "users.stop_late")
        worker()
        with container.database.transaction(ALL_ACCOUNTS) as db:
            job = container.service(Jobs).latest_for(db, Kind.BUILD, version.version_id)
        assert job is not None
        assert job.status == "CANCELLED"

    def test_one_that_runs_stops_within_a_second(
        self, container: Container, model_side: ModelSide, clock: FrozenClock, settings: Settings
    ):
        version = model_side.draft("churn")
        begun, stopped = threading.Event(), threading.Event()

        class Endless:
            kind = Kind.BUILD

            def run(self, step: Any) -> None:
                begun.set()
                while True:
                    step.check()
                    time.sleep(0.01)

            def give_up(self, _db: Any, _subject: str, _why: str) -> None:
                stopped.set()

        working = Worker(container.database, [cast("Any", Endless())], clock, settings)
        thread = threading.Thread(target=working.run, daemon=True)
        thread.start()
        try:
            assert begun.wait(10), version
            asked = time.monotonic()
            deactivate(container)
            assert stopped.wait(10)
            assert time.monotonic() - asked < 1
        finally:
            working.stop()
            thread.join()


class TestSchedules:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        with closing(sqlite3.connect(settings.data_dir / "shop.sqlite")) as shop, shop:
            shop.execute("create table users (number integer)")
        return settings.model_copy(update={"sqlite_folder": settings.data_dir})

    def test_pause_and_come_back_as_they_were(
        self,
        api: TestClient,
        container: Container,
        clock: FrozenClock,
        worker: Callable[[], int],
    ):
        shop = {"name": "shop", "type": "sqlite", "database": "shop.sqlite"}
        connection_id = api.post("/database/connections", json=shop).json()["connection_id"]
        wish = {"connection_id": connection_id, "table": "users", "dataset_name": "a"}
        made = api.post("/database/ingest", json=wish | {"schedule": "30 * * * *"}).json()
        where = f"/database/ingest/{made['ingestion_id']}"
        worker()
        before = api.get(where).json()
        deactivate(container)
        clock.advance(hours=3)
        carry_out(container, "ingestions.start_due")
        assert worker() == 0
        activate(container)
        after = api.get(where).json()
        assert (after["schedule"], after["next_run_at"]) == (
            before["schedule"],
            before["next_run_at"],
        )
        carry_out(container, "ingestions.start_due")
        assert api.get(where).json()["status"] == "pending"
        assert api.get(where).json()["next_run_at"] == "2026-03-02T15:30:00Z"


class TestSignedAddresses:
    def test_take_nothing(
        self, api: TestClient, anonymous_client: TestClient, container: Container
    ):
        address = api.post("/data/upload", json=FILES).json()["files"][0]["presigned_url"]
        deactivate(container)
        answer = anonymous_client.put(address, content=b"a\n1\n")
        assert (answer.status_code, "deactivated" in error_of(answer)["message"]) == (403, True)
        activate(container)
        assert anonymous_client.put(address, content=b"a\n1\n").status_code == 200

    @pytest.fixture
    def download(self, api: TestClient, model_side: ModelSide, worker: Callable[[], int]) -> str:
        wish = {"upload_id": model_side.upload(CHURN), "format": "json"}
        export_id = api.post("/data/export", json=wish).json()["export_id"]
        worker()
        return str(api.get(f"/data/export/{export_id}").json()["files"][0]["download_url"])

    def test_give_nothing(self, anonymous_client: TestClient, container: Container, download: str):
        deactivate(container)
        answer = anonymous_client.get(download)
        assert (answer.status_code, "deactivated" in error_of(answer)["message"]) == (403, True)
        activate(container)
        assert anonymous_client.get(download).status_code == 200

    def test_stop_in_the_middle(
        self,
        anonymous_client: TestClient,
        container: Container,
        download: str,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(storage_service, "RECHECK_SECONDS", -1.0)
        storage = container.service(storage_service.Storage)
        size = storage.size

        def shut_after_the_head(grant: Any) -> int:
            told = size(grant)
            deactivate(container)
            return told

        monkeypatch.setattr(storage, "size", shut_after_the_head)
        anonymous_client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
        answer = anonymous_client.get(download)
        assert answer.content == b""


class TestSessions:
    def test_end_and_stay_ended(self, api: TestClient, container: Container, model_side: ModelSide):
        made = api.post("/data/sessions", json={"upload_id": model_side.upload(CHURN)}).json()
        deactivate(container)
        activate(container)
        told = api.get(f"/data/sessions/{made['session_id']}").json()
        assert told["status"] == "ended"


class TestPredictions:
    def test_stop_with_the_next_request(self, api: TestClient, container: Container, penguins: str):
        """The second one finds the model loaded, and is answered past the framework."""
        for _ in range(2):
            assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        deactivate(container)
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 403
        activate(container)
        assert api.post(f"{penguins}/infer", json=GENTOO).status_code == 200


class TestWhatIsUnderWay:
    """On a real server, since it shows in time."""

    @pytest.fixture
    def served(self, container: Container, make_key: Callable[..., str]) -> Iterator[Any]:
        key = make_key()
        with (
            serving(create_app(container), lifespan="off") as (host, port),
            httpx.Client(
                base_url=f"http://{host}:{port}", headers={"x-api-key": key}, timeout=60
            ) as client,
        ):
            yield client

    def test_a_stream_of_events_ends_within_a_second(
        self, served: Any, container: Container, model_side: ModelSide
    ):
        version = model_side.draft("churn")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            job = container.service(Jobs).latest_for(db, Kind.BUILD, version.version_id)
        assert job is not None
        with served.stream("GET", f"/jobs/{job.job_id}/events") as events:
            lines = events.iter_lines()
            assert next(lines) == "event: progress"
            asked = time.monotonic()
            deactivate(container)
            for _ in lines:
                pass
        assert time.monotonic() - asked < 1

    def test_a_file_that_comes_is_refused_in_the_middle(self, served: Any, container: Container):
        address = urlsplit(
            served.post("/data/upload", json=FILES).json()["files"][0]["presigned_url"]
        )
        head = f"PUT {address.path}?{address.query} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        with socket.create_connection((address.hostname or "", address.port or 0)) as line:
            line.sendall(f"{head}Content-Length: 4000000\r\n\r\n".encode())
            for sent in range(1000):
                line.sendall(b"1,2\n" * 1000)
                if sent == 1:
                    deactivate_elsewhere(container)
                if select.select([line], [], [], 0.05)[0]:
                    break
            said = line.recv(65536)
        assert said.startswith(b"HTTP/1.1 403")
        assert sent < 500

    def test_a_query_is_refused_in_the_middle(
        self, served: Any, container: Container, model_side: ModelSide
    ):
        upload_id = model_side.upload(CHURN)
        session = served.post("/data/sessions", json={"upload_id": upload_id}).json()
        body = {"session_id": session["session_id"], "query_type": "sql", "query": SLOW_SQL}
        timer = threading.Timer(1.0, deactivate_elsewhere, [container])
        timer.start()
        started = time.monotonic()
        answer = served.post("/data/query", json=body)
        took = time.monotonic() - started
        timer.join()
        assert "deactivated" in error_of(answer)["message"], (took, answer.text)
        assert took < 2.5
