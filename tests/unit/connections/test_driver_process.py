"""Reading in processes of their own: bounded, stopped at once, silent about passwords."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psutil
import psycopg
import pytest
from fastapi.testclient import TestClient
from tests.process_names import name_of
from tests.unit.connections.servers import PASSWORD, Server

from modelwright.bootstrap.container import Container
from modelwright.connections import connection_tester
from modelwright.core.clock import SystemClock
from modelwright.core.config.settings import Settings
from modelwright.processes.worker import Worker

URL = "/database/ingest"


@pytest.fixture
def clock() -> SystemClock:
    """The real clock: these tests wait for real processes."""
    return SystemClock()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"ingestion_seconds": 60.0, "ingestion_memory_mb": 256})


@contextmanager
def working(container: Container) -> Iterator[None]:
    """Has a worker at work until the end of the block."""
    worker = Worker(
        container.database,
        container.handlers,
        container.clock,
        container.settings,
        container.duties,
    )
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield
    finally:
        worker.stop()
        thread.join()


def until(is_so: Callable[[], Any], seconds: float = 60.0) -> Any:
    ends, pause = time.monotonic() + seconds, threading.Event()
    while not (found := is_so()):
        assert time.monotonic() < ends, "it did not come"
        pause.wait(0.05)
    return found


class TestChildren:
    def test_a_table_comes_by_way_of_a_real_child(
        self, api: TestClient, container: Container, postgresql: Server, connect: Callable[..., str]
    ):
        made = connect(postgresql.body())
        assert api.get(f"/database/connections/{made}/tables").status_code == 200
        body = {"connection_id": made, "table": "orders", "dataset_name": "orders"}
        with working(container):
            asked = api.post(URL, json=body).json()["ingestion_id"]
            until(lambda: api.get(f"{URL}/{asked}").json()["status"] == "completed")
            upload = api.get(f"{URL}/{asked}").json()["upload_id"]
            until(lambda: api.get(f"/uploads/{upload}").json()["status"] == "complete")

    def test_cancelling_stops_the_child_and_leaves_nothing(
        self, api: TestClient, container: Container, postgresql: Server, connect: Callable[..., str]
    ):
        made = connect(postgresql.body())
        query = "select g, pg_sleep(0.01)::text as s from generate_series(1, 100000) g"
        body = {"connection_id": made, "query": query, "dataset_name": "slow"}
        with working(container):
            asked = api.post(URL, json=body).json()
            children = until(_children)
            assert not any(PASSWORD in one for told in children.values() for one in told)
            until(lambda: api.get(f"{URL}/{asked['ingestion_id']}").json()["status"] == "running")
            assert api.post(f"/jobs/{asked['job_id']}/cancel").status_code == 200
            until(lambda: api.get(f"/jobs/{asked['job_id']}").json()["status"] == "CANCELLED")
            until(lambda: not any(map(_is_at_work, children)))
        told = api.get(f"{URL}/{asked['ingestion_id']}").json()
        assert (told["status"], told["error"]) == ("failed", "It was cancelled.")
        assert api.get("/uploads").json()["uploads"] == []

    def test_cancelling_ends_what_the_database_computes_too(
        self, api: TestClient, container: Container, postgresql: Server, connect: Callable[..., str]
    ):
        body = {"connection_id": connect(postgresql.body()), "query": "select pg_sleep(50)"}

        def sleeps() -> bool:
            try:
                postgresql.run(
                    "select 1 / count(*) from pg_stat_activity"
                    " where query like '%pg_sleep%' and pid <> pg_backend_pid()"
                )
            except psycopg.errors.DivisionByZero:
                return False
            return True

        with working(container):
            asked = api.post(URL, json=body | {"dataset_name": "slow"}).json()
            until(sleeps)
            assert api.post(f"/jobs/{asked['job_id']}/cancel").status_code == 200
            until(lambda: not sleeps(), 20.0)

    def test_a_value_too_large_for_the_memory_fails_the_run(
        self, api: TestClient, container: Container, postgresql: Server, connect: Callable[..., str]
    ):
        query = "select repeat('x', 300000000) as words"
        body = {"connection_id": connect(postgresql.body()), "query": query, "dataset_name": "a"}
        with working(container):
            asked = api.post(URL, json=body).json()["ingestion_id"]
            until(lambda: api.get(f"{URL}/{asked}").json()["status"] == "failed")
        assert "memory" in api.get(f"{URL}/{asked}").json()["error"]

    def test_a_server_that_never_answers_is_given_up(
        self,
        api: TestClient,
        monkeypatch: pytest.MonkeyPatch,
        postgresql: Server,
    ):
        import socket

        monkeypatch.setattr(connection_tester, "TEST_TIMEOUT_SECONDS", 1.5)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            body = postgresql.body(port=silent.getsockname()[1])
            answer = api.post("/database/connections", json=body)
        assert answer.status_code == 422
        assert "did not answer" in answer.json()["error"]["message"]
        assert PASSWORD not in answer.text


def _is_at_work(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def _children() -> dict[psutil.Process, list[str]]:
    """The job's children and what anybody can read of them; one that ends meanwhile is left out."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            words = process.cmdline()
            if "modelwright.jobs.child" in words or name_of(process).startswith("job"):
                found[process] = [*words, *map("=".join, process.environ().items())]
    return found


class TestTries:
    """A database that takes connections and never says a word."""

    @pytest.fixture
    def silent(self) -> Iterator[dict[str, Any]]:
        with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
            yield {
                "name": "silent",
                "type": "postgresql",
                "host": "127.0.0.1",
                "port": listener.getsockname()[1],
                "database": "d",
                "username": "u",
                "password": PASSWORD,
            }

    def test_one_account_s_keep_nobody_waiting(
        self,
        api: TestClient,
        other_account_client: TestClient,
        silent: dict[str, Any],
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(connection_tester, "TEST_TIMEOUT_SECONDS", 4.0)
        seconds = []

        def try_(client: TestClient) -> int:
            began = time.monotonic()
            status = client.post("/database/connections", json=silent).status_code
            seconds.append(time.monotonic() - began)
            return status

        with ThreadPoolExecutor(60) as threads:
            tries = [threads.submit(try_, api) for _ in range(50)]
            until(lambda: len(seconds) >= 50 - connection_tester.MAX_WAITING_PER_ACCOUNT)
            assert max(seconds) < 4
            assert try_(other_account_client) == 422
            told = [one.result() for one in tries]
        assert (told.count(422), told.count(429)) == (
            connection_tester.MAX_WAITING_PER_ACCOUNT,
            50 - connection_tester.MAX_WAITING_PER_ACCOUNT,
        )
