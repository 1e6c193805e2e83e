"""Two accounts that take all they can get do not keep a third from what it asks for.

Each kind of work is timed for the third account on the idle server and then beside the two: it
must be served within twice its idle time plus a second, of a machine that is the test's own. What
others take of the processors meanwhile is told apart: seconds count by the share that was left.
"""

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import pytest
from tests.built_models import Built
from tests.e2e.killing import ROW
from tests.e2e.processor_share import ProcessorShare
from tests.e2e.server import Server
from tests.e2e.test_serving import until

from modelwright_client import Client, ModelwrightError, Retry
from modelwright_client.demo.table import PENGUINS
from modelwright_client.types import DeclareFile

pytestmark = pytest.mark.timeout(300)
HOSTILE = ("mallory@example.org", "trudy@example.org")
ATTEMPTS = 4
"""What happens to come at the same moment is not the neighbours' doing: the best try counts."""
LARGE_ROWS = 250_000
WORDS = "words that make a file which is not small " * 3
SLOW_SQL = "SELECT sum(hash(a.range + b.range)) FROM range(3000000) a, range(40000) b"
DATABASE = "one.sqlite"
THREADS = 8
"""Requests that each hostile account has under way."""


class Third:
    """The account that must be served, and what it has."""

    def __init__(self, server: Server, client: Client, share: ProcessorShare | None = None) -> None:
        self.server = server
        self.client = client
        self.share = share
        """What the test is left of the processors; None where it has the machine for itself."""
        self.served: list[tuple[str, float, float]] = []
        """What was served beside others: its name, and its seconds alone and beside them."""
        self.upload_id = client.uploads.send([PENGUINS])["upload_id"]
        self.session = client.sessions.create(self.upload_id)["session_id"]

    def upload(self) -> None:
        """Sends a small file and has it processed."""
        assert self.client.uploads.send([PENGUINS])["status"] == "complete"

    def export(self) -> None:
        made = self.client.exports.create(self.upload_id, format="json")
        assert self.client.exports.wait(made["export_id"], timeout=60)["status"] == "completed"

    def score(self) -> None:
        made = self.client.predictions.score("species", "v1.0", self.upload_id)
        assert self.client.exports.wait(made["export_id"], timeout=60)["status"] == "completed"

    def analyse(self) -> None:
        made = self.client.analysis.create(self.upload_id)
        assert self.client.jobs.wait(made["job_id"], timeout=60)["status"] == "COMPLETED"

    def query(self) -> None:
        found = self.client.queries.sql("SELECT count(*) FROM penguins", session_id=self.session)
        assert found["row_count"] == 1

    def ask(self) -> None:
        found = self.client.queries.ask("How many penguins are there?", session_id=self.session)
        assert found["result_type"] == "table"

    def preview(self) -> None:
        found = self.client.uploads.preview(self.upload_id, "penguins.csv", limit=3)
        assert found["returned_rows"] == 3

    def infer(self) -> None:
        answer = self.client.predictions.infer("species", "v1.0", ROW)
        assert answer["result"] == {"species": "Gentoo"}

    def infer_many(self) -> None:
        assert len(self.client.predictions.many("species", "v1.0", [ROW] * 300)) == 300

    def is_served(self, act: Callable[[], object], idle: float) -> None:
        """Holds an act to twice its idle time plus a second."""
        tried = []
        for _ in range(ATTEMPTS):
            mark = self.share.mark() if self.share else None
            took = seconds(act)
            slowness = self.share.slowness_since(mark) if self.share and mark else 1.0
            if took <= (2 * idle + 1) * slowness:
                self.served.append((act.__name__, idle, took))
                return
            tried.append(f"{took:.2f} s at a share of {1 / slowness:.2f}")
        pytest.fail(f"{', '.join(tried)} beside others, {idle:.2f} s alone")


def seconds(act: Callable[[], object]) -> float:
    started = time.monotonic()
    act()
    return time.monotonic() - started


def idle_seconds(act: Callable[[], object]) -> float:
    """How long an act takes alone, once everything is warm."""
    act()
    return seconds(act)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, species: Built) -> Iterator[Server]:
    """One server for all, with the caps of every installation."""
    folder = tmp_path_factory.mktemp("neighbours")
    databases = folder / "databases"
    databases.mkdir()
    with closing(sqlite3.connect(databases / DATABASE)) as connection:
        connection.execute("create table t (a integer)")
        connection.executemany("insert into t values (?)", [(at,) for at in range(100)])
        connection.commit()
    made = Server(folder, build_seconds=20, sqlite_folder=databases)
    for email in ("", *HOSTILE):
        made.give_model("species", species, email)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def third(server: Server) -> Iterator[Third]:
    share = ProcessorShare()
    with server.client() as client:
        yield Third(server, client, share)
    share.stop()


@pytest.fixture(scope="module")
def hostile(server: Server) -> Iterator[list[Client]]:
    """Two accounts of the highest tier, so that no rate holds them."""
    keys = [server.make_key(email) for email in HOSTILE]
    for email in HOSTILE:
        server.command("users", "set-tier", email, "enterprise")
    with ExitStack() as stack:
        never = Retry(attempts=1)
        yield [
            stack.enter_context(Client(server.url, key, retry=never, timeout=60)) for key in keys
        ]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file whose processing takes seconds, and which is not small."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    with path.open("w") as file:
        file.write("a,b,c\n")
        file.writelines(f"{at},{at % 977}.5,{WORDS}{at % 10_007}\n" for at in range(LARGE_ROWS))
    return path


@pytest.fixture(scope="module")
def stored(hostile: list[Client], large: Path) -> list[str]:
    """That file as an upload of each of the two."""
    return [one.uploads.send([large], timeout=240)["upload_id"] for one in hostile]


@contextmanager
def flooding(acts: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Carries each act out again and again, in threads of its own."""
    stopping = threading.Event()

    def again(act: Callable[[], object]) -> None:
        while not stopping.is_set():
            try:
                with suppress(ModelwrightError, httpx.HTTPError, OSError):
                    act()
            except RuntimeError:  # its client was closed under it, once all is over
                if not stopping.is_set():
                    raise

    threads = [
        threading.Thread(target=again, args=(act,), daemon=True)
        for act in acts
        for _ in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    try:
        time.sleep(1.0)  # until all of them have begun
        yield
    finally:
        stopping.set()


def running(client: Client) -> list[str]:
    return [job["job_id"] for job in client.jobs.list(status="RUNNING")["jobs"]]


def is_idle(client: Client) -> bool:
    return not running(client)


def cancel_all(clients: list[Client]) -> None:
    for client in clients:
        for status in ("PENDING", "RUNNING"):
            for job in client.jobs.list(status=status, limit=100)["jobs"]:
                with suppress(ModelwrightError):
                    client.jobs.cancel(job["job_id"])
    for client in clients:
        until(partial(is_idle, client))


@pytest.fixture(scope="module")
def kinds() -> tuple[str, ...]:
    """The short jobs that go beside others here; `tests/soak/test_neighbours.py` takes all."""
    return ("upload",)


@pytest.fixture(scope="class")
def idle(third: Third, kinds: tuple[str, ...]) -> dict[str, float]:
    return {kind: idle_seconds(getattr(third, kind)) for kind in kinds}


@pytest.fixture(scope="class")
def _busy(
    idle: dict[str, float], hostile: list[Client], stored: list[str], large: Path
) -> Iterator[None]:
    """Has each of the two read its large file again and again."""
    for client, upload_id in zip(hostile, stored, strict=True):
        for _ in range(25):
            client.uploads.reparse(upload_id, large.name)
    until(lambda: all(map(running, hostile)))
    yield
    cancel_all(hostile)


class TestJobs:
    @pytest.mark.usefixtures("_busy")
    def test_a_small_one_goes_beside_the_large_ones_of_two_others(
        self, third: Third, hostile: list[Client], idle: dict[str, float], kinds: tuple[str, ...]
    ):
        for kind in kinds:
            third.is_served(getattr(third, kind), idle[kind])
            until(lambda: all(map(running, hostile)))
            waiting = hostile[0].jobs.list(status="PENDING", limit=100)["jobs"]
            assert waiting, kind
            stages = [hostile[0].jobs.read(one["job_id"])["stage"] for one in waiting[:3]]
            assert all("of yours" in one for one in stages), stages


class TestQueries:
    def test_one_is_answered_beside_the_endless_ones_of_two_others(
        self, third: Third, hostile: list[Client], stored: list[str]
    ):
        acts_of_third = (third.query, third.ask, third.preview)
        idle = [idle_seconds(act) for act in acts_of_third]
        acts = []
        for client, upload_id in zip(hostile, stored, strict=True):
            sessions = [client.sessions.create(upload_id)["session_id"] for _ in range(4)]
            acts += [
                lambda client=client, one=one: client.queries.sql(SLOW_SQL, session_id=one)
                for one in sessions[:2]
            ]
            acts.append(
                lambda client=client, one=sessions[2]: client.queries.ask(
                    "How many large are there by c and by b?", session_id=one
                )
            )
        with flooding(acts):
            for act, seconds_alone in zip(acts_of_third, idle, strict=True):
                third.is_served(act, seconds_alone)
        for client in hostile:
            for session in client.sessions.list(limit=100)["sessions"]:
                client.sessions.end(session["session_id"])


class TestPreviews:
    def test_one_is_answered_beside_many_of_two_others(
        self, third: Third, hostile: list[Client], stored: list[str], large: Path
    ):
        idle = idle_seconds(third.preview)
        acts = [
            lambda client=client, one=one: client.uploads.preview(
                one, large.name, limit=100, offset=LARGE_ROWS - 100
            )
            for client, one in zip(hostile, stored, strict=True)
        ]
        with flooding(acts):
            third.is_served(third.preview, idle)

    def test_the_tables_of_a_database_are_listed_beside_the_silent_ones_of_two_others(
        self, third: Third, hostile: list[Client]
    ):
        own = third.client.connections.create("mine", "sqlite", database=DATABASE)

        def tables() -> None:
            assert third.client.connections.tables(own["connection_id"])["tables"]

        idle = idle_seconds(tables)
        with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
            port = silent.getsockname()[1]
            acts = [
                lambda client=client: client.connections.create(
                    "silent",
                    "postgresql",
                    database="a",
                    host="127.0.0.1",
                    port=port,
                    username="a",
                    password="b",
                )
                for client in hostile
            ]
            with flooding(acts):
                third.is_served(tables, idle)
                refused = httpx.post(
                    f"{third.server.url}/database/connections",
                    json={
                        "name": "s",
                        "type": "postgresql",
                        "host": "127.0.0.1",
                        "port": port,
                        "database": "a",
                        "username": "a",
                    },
                    headers={"x-api-key": third.server.make_key(HOSTILE[0])},
                    timeout=60,
                )
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert "3 of your databases" in refused.json()["error"]["message"]


class TestUploads:
    def test_one_is_taken_beside_the_large_ones_of_two_others(
        self, third: Third, hostile: list[Client], large: Path
    ):
        idle = idle_seconds(third.upload)
        content = large.read_bytes()

        def put(client: Client) -> None:
            file: DeclareFile = {
                "filename": "a.csv",
                "content_type": "text/csv",
                "size_bytes": len(content),
            }
            made = client.uploads.create([file])
            httpx.put(made["files"][0]["presigned_url"], content=content, timeout=60)
            client.uploads.delete(made["upload_id"])

        with flooding([partial(put, client) for client in hostile]):
            third.is_served(third.upload, idle)


class TestPredictions:
    def test_one_is_answered_beside_the_large_batches_of_two_others(
        self, third: Third, hostile: list[Client]
    ):
        acts_of_third = (third.infer, third.infer_many)
        idle = [idle_seconds(act) for act in acts_of_third]
        rows = [ROW] * 10_000
        acts = [
            lambda client=client: client.predictions.many("species", "v1.0", rows)
            for client in hostile
        ]
        with flooding(acts):
            for act, seconds_alone in zip(acts_of_third, idle, strict=True):
                third.is_served(act, seconds_alone)
