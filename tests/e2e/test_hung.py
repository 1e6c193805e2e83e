"""Parts of a server that stand still, as after SIGSTOP: each is replaced, nothing is done twice."""

import json
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import httpx
import psutil
import pytest
from tests.built_models import Built
from tests.e2e.killing import ROW
from tests.e2e.server import Server, lives
from tests.e2e.test_deployments import deploy, replicas
from tests.e2e.test_serving import INTENT, until
from tests.ports import free_port
from tests.process_names import name_of, named

from modelwright.cli.doctor import examine
from modelwright_client import Client, ModelwrightError, Retry
from modelwright_client.demo.table import PENGUINS

HUNG_SECONDS = 2.0
PARTS = {"api", "worker", "replica host"}
DATABASE = "one.sqlite"


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server whose parts may be silent for two seconds."""
    folder = tmp_path_factory.mktemp("hanging")
    databases = folder / "databases"
    databases.mkdir()
    with closing(sqlite3.connect(databases / DATABASE)) as connection:
        connection.execute("create table t as select 1 as a")
    server = Server(
        folder, hung_seconds=HUNG_SECONDS, metrics_port=free_port(), sqlite_folder=databases
    )
    yield server.start()
    server.stop()


def part(server: Server, name: str) -> psutil.Process:
    """The process of a part, once it is there."""
    until(lambda: len(of_name(server, name)) == 1)
    return of_name(server, name)[0]


def of_name(server: Server, name: str) -> list[psutil.Process]:
    return [one for one in server.process.children() if name_of(one) == name]


def replaced(server: Server, name: str) -> int:
    """How often the numbers say that a part was replaced for its silence."""
    address = f"http://127.0.0.1:{server.settings.metrics_port}/metrics"
    with httpx.Client(transport=httpx.HTTPTransport(retries=5), timeout=30) as client:
        told = client.get(address).text
    pattern = rf'modelwright_process_replacements_total{{process="{name}"}} ([\d.]+)'
    return int(float(re.findall(pattern, told)[0]))


def diagnosis(server: Server) -> str:
    """What the doctor says of the processes."""
    [told] = [one.message for one in examine(server.settings) if one.part == "processes"]
    return told


def health(server: Server) -> dict[str, dict[str, str]]:
    return dict(httpx.get(f"{server.url}/data/health", timeout=30).json()["checks"])


class TestNames:
    def test_every_process_is_named_as_its_part(self, hanging: Server):
        assert name_of(hanging.process) == "supervisor"
        until(lambda: {name_of(one) for one in hanging.process.children()} >= PARTS)


class TestStopped:
    @pytest.mark.parametrize("name", ["worker", "replica host", "api"])
    def test_a_part_is_replaced_and_that_is_told(self, hanging: Server, name: str):
        victim = part(hanging, name)
        before = replaced(hanging, name)
        victim.suspend()
        until(lambda: not lives(victim.pid))
        assert part(hanging, name).pid != victim.pid
        until(lambda: replaced(hanging, name) == before + 1)
        lines = [
            json.loads(line) for line in hanging.log.read_text().splitlines() if line[:1] == "{"
        ]
        told = [line["child"] for line in lines if line["event"] == "supervise.child_hung"]
        assert told.count(name) == before + 1
        until(lambda: f"{name} {before + 1} times" in diagnosis(hanging))

    def test_health_and_doctor_name_it_before_it_is_replaced(self, hanging: Server):
        victim = part(hanging, "replica host")
        victim.suspend()
        until(lambda: health(hanging)["processes"]["status"] == "down")
        until(lambda: health(hanging)["processes"]["status"] == "ok")
        assert not lives(victim.pid)

    def test_a_busy_server_is_not_taken_for_a_hung_one(self, hanging: Server):
        before = {name: part(hanging, name).pid for name in PARTS}
        with hanging.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            session = client.sessions.create(upload_id)
            slow = "SELECT sum(hash(a.range)) FROM range(3000000) a, range(60) b"
            client.queries.sql(slow, session_id=session["session_id"])
        assert {name: part(hanging, name).pid for name in PARTS} == before

    def test_a_whole_server_that_was_stopped_for_long_goes_on_as_it_was(self, hanging: Server):
        before = {name: part(hanging, name).pid for name in PARTS}
        family = [psutil.Process(pid) for pid in hanging.family()]
        for one in [hanging.process, *family]:
            one.suspend()
        time.sleep(2 * HUNG_SECONDS)
        for one in reversed(family):
            one.resume()
        until(lambda: httpx.get(f"{hanging.url}/data/health", timeout=30).status_code == 200)
        time.sleep(1.0)
        assert {name: part(hanging, name).pid for name in PARTS} == before

    def test_the_supervisor_s_silence_is_told_by_health(self, hanging: Server):
        hanging.process.suspend()
        try:
            until(lambda: health(hanging)["processes"]["status"] == "down")
            assert "supervisor" in health(hanging)["processes"]["message"]
        finally:
            hanging.process.resume()
        until(lambda: health(hanging)["processes"]["status"] == "ok")

    def test_a_query_process_is_given_up_and_the_next_query_answered(self, hanging: Server):
        with hanging.client() as client:
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            session = client.sessions.create(upload_id)["session_id"]
            client.queries.sql("SELECT 1 AS a", session_id=session)
            for stopped in ("query host", "query"):
                for one in named(hanging.process, stopped):
                    one.suspend()
                found = client.queries.sql("SELECT 2 AS a", session_id=session)
                assert [list(row) for row in found["rows"]] == [[2]]

    def test_a_replica_is_replaced_and_its_callers_are_answered(
        self, hanging: Server, species: Built
    ):
        hanging.give_model("m", species)
        with hanging.client() as client:
            deployment_id = deploy(client, "m", replicas=1)
            [victim] = replicas(hanging)
            victim.suspend()
            answer = client.deployments.infer(deployment_id, ROW)
            assert answer["result"] == {"species": "Gentoo"}
            assert not lives(victim.pid)
        assert "deployments.replica_hung" in hanging.log.read_text()


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
            order = {"intent": INTENT, "dataset_id": upload_id, "max_iterations": 1}
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
        wanted = {"filename": "penguins.csv", "limit": 3}
        assert client.uploads.preview(upload_id, **wanted)["returned_rows"] == 3
        for name in ("query host", "query"):
            for one in named(hanging.process, name):
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
            order = {"intent": INTENT, "dataset_id": upload_id}
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
