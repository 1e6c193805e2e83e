"""Children that stand still in their work, as after SIGSTOP: others do it, and only once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import pytest
from tests.built_models import Built
from tests.e2e.conftest import DATABASE
from tests.e2e.server import Server, lives
from tests.e2e.test_hung import part
from tests.e2e.test_serving import INTENT, until
from tests.process_names import named

from modelwright_client import Client, ModelwrightError, Retry
from modelwright_client.demo.table import PENGUINS


@contextmanager
def stopping(server: Server, name: str) -> Iterator[list[psutil.Process]]:
    """Stops the first process of a name that comes up within the block; it is stopped once."""
    stopped: list[psutil.Process] = []
    is_over = threading.Event()

    def watch() -> None:
        while not (stopped or is_over.is_set()):
            for one in named(server.process, name):
                with suppress(psutil.NoSuchProcess):
                    one.suspend()
                    stopped.append(one)
                    break

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield stopped
    finally:
        is_over.set()
        watcher.join()


@pytest.fixture(scope="module")
def client(hanging: Server, species: Built) -> Iterator[Client]:
    hanging.give_model("species", species)
    with hanging.client() as client:
        yield client


@pytest.fixture(scope="module")
def upload_id(client: Client) -> str:
    return str(client.uploads.send([PENGUINS])["upload_id"])


@pytest.fixture(scope="module")
def connection_id(client: Client) -> str:
    return str(client.connections.create("one", "sqlite", database=DATABASE)["connection_id"])


class TestChildren:
    """Each kind of child that does a job is stopped in it: the job is done by another child."""

    def test_that_reads_an_upload(self, hanging: Server, client: Client):
        with stopping(hanging, "job uploads.") as stopped:
            assert client.uploads.send([PENGUINS])["status"] == "complete"
        until(lambda: not lives(stopped[0].pid))

    def test_that_analyses(self, hanging: Server, client: Client, upload_id: str):
        with stopping(hanging, "job analysis.") as stopped:
            job_id = client.analysis.create(upload_id)["job_id"]
            assert client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"
        until(lambda: not lives(stopped[0].pid))

    def test_that_paints_for_it(self, hanging: Server, client: Client, upload_id: str):
        with stopping(hanging, "chart renderer") as stopped:
            job_id = client.analysis.create(upload_id)["job_id"]
            assert client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"
        until(lambda: not lives(stopped[0].pid))

    def test_that_exports(self, hanging: Server, client: Client, upload_id: str):
        with stopping(hanging, "job exports.") as stopped:
            made = client.exports.create(upload_id, format="json")
            assert client.exports.wait(made["export_id"], timeout=120)["status"] == "completed"
        until(lambda: not lives(stopped[0].pid))

    def test_that_scores(self, hanging: Server, client: Client, upload_id: str):
        with stopping(hanging, "job scoring.") as stopped:
            made = client.predictions.score("species", "v1.0", upload_id)
            assert client.exports.wait(made["export_id"], timeout=120)["status"] == "completed"
        until(lambda: not lives(stopped[0].pid))

    def test_that_builds(self, hanging: Server, client: Client, upload_id: str):
        with stopping(hanging, "job builds.") as stopped:
            order: dict[str, Any] = {"intent": INTENT, "dataset_id": upload_id, "max_iterations": 1}
            job_id = client.models.create("built", **order)["job_id"]
            assert client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"
        until(lambda: not lives(stopped[0].pid))

    def test_that_reads_a_database(self, hanging: Server, client: Client, connection_id: str):
        with stopping(hanging, "job connections.") as stopped:
            made = client.ingestions.create(connection_id, dataset_name="brought", table="t")
            assert client.jobs.wait(made["job_id"], timeout=120)["status"] == "COMPLETED"
        until(lambda: not lives(stopped[0].pid))

    def test_that_lists_the_tables_of_one_is_told_and_the_next_answers(
        self, hanging: Server, client: Client, connection_id: str
    ):
        once = Client(hanging.url, hanging.key, retry=Retry(attempts=1))
        told, tries = "", 0
        while not told:  # it may have answered before it is stopped
            tries += 1
            assert tries < 100
            with stopping(hanging, "job connections.") as stopped:
                try:
                    once.connections.tables(connection_id)
                except ModelwrightError as refused:
                    told = str(refused)
        assert "was stopped" in told
        until(lambda: not lives(stopped[0].pid))
        assert client.connections.tables(connection_id)["tables"]

    def test_that_shows_a_preview_is_told_and_the_next_answers(
        self, hanging: Server, client: Client, upload_id: str
    ):
        wanted: dict[str, Any] = {"filename": "penguins.csv", "limit": 3}
        assert client.uploads.preview(upload_id, **wanted)["returned_rows"] == 3
        for one in named(hanging.process, "query"):
            one.suspend()
        with suppress(ModelwrightError):
            client.uploads.preview(upload_id, **wanted)
        assert client.uploads.preview(upload_id, **wanted)["returned_rows"] == 3


class TestTwoOnOneFolder:
    def test_a_stopped_worker_loses_its_job_and_cannot_finish_it_twice(
        self, new_server: Callable[..., Server]
    ):
        first = new_server(build_seconds=3, lease_seconds=2).start()
        with first.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
        second = new_server(build_seconds=3, lease_seconds=2).start()
        second.key = first.key
        stopped = [first.process, part(first, "worker")]
        with second.client() as client:
            order: dict[str, Any] = {"intent": INTENT, "dataset_id": upload_id}
            job_id = client.models.create("p", **order)["job_id"]
            until(lambda: client.jobs.read(job_id)["progress"] > 0)
            for one in stopped:
                one.suspend()
            try:
                assert client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"
                built = client.models.read("p")
            finally:
                for one in stopped:
                    one.resume()
            until(lambda: "worker.superseded" in first.log.read_text())
            until(lambda: not lives(stopped[1].pid))
            assert client.jobs.read(job_id)["status"] == "COMPLETED"
            assert client.models.read("p") == built
            assert "lock.taken_over" in second.log.read_text()
            assert client.uploads.send([PENGUINS])["status"] == "complete"
