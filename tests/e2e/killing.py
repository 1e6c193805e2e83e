"""Kills a server at work again and again, and holds it to what it had acknowledged.

A clerk uploads without pause, so that every kill falls into requests, processing and a build.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.e2e.server import Server

from modelwright_client import Client, ModelwrightError, RateLimitedError, Retry
from modelwright_client.demo.table import PENGUINS

SPECIES = {"Adelie", "Chinstrap", "Gentoo"}
"""What a model tells; how well it does says how much of a processor its few seconds had."""
ROWS = 344
LARGE_ROWS = 60_000
END_SECONDS = 300.0
ROW = {
    "island": "Biscoe",
    "bill_length_mm": 46.1,
    "bill_depth_mm": 13.2,
    "flipper_length_mm": 211,
    "body_mass_g": 4500,
    "sex": "female",
    "year": 2007,
}


@dataclass
class Ledger:
    """What was acknowledged, and must be there whatever happened afterwards."""

    uploads: dict[str, int] = field(default_factory=dict)
    """How many rows each has."""
    keys: list[str] = field(default_factory=list)
    """The secrets of keys that were issued."""
    questions: list[str] = field(default_factory=list)
    """The ids of questions that were verified."""
    asked: int = 0


class Clerk:
    """Uploads, makes keys and verifies questions until told to stop; keeps the ledger."""

    def __init__(self, client: Client, large: Path, dataset: str, ledger: Ledger) -> None:
        self.ledger = ledger
        self._client = client
        self._dataset = dataset
        self._large = large
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def start(self) -> None:
        """Begins the work."""
        self._thread.start()

    def _work(self) -> None:
        for path, rows in self._files():
            try:
                upload = self._client.uploads.send([path], wait=False)
                self.ledger.uploads[upload["upload_id"]] = rows
                self.do_small_things()
            except ModelwrightError:
                return

    def do_small_things(self) -> None:
        """Makes a key, asks and verifies a question, each as often as its limit lets."""
        with suppress(RateLimitedError):
            made = self._client.keys.create("of the clerk", "read_only")
            self.ledger.keys.append(made["key"])
        with suppress(RateLimitedError):
            self._verify_a_question()

    def _verify_a_question(self) -> None:
        session = self._client.sessions.use(self._dataset)["session_id"]
        # Another question each time: the answer to one that was asked before takes its place.
        self.ledger.asked += 1
        question = f"how many penguins have body_mass_g above {3000 + self.ledger.asked}"
        answer = self._client.queries.ask(question, session_id=session)
        self._client.queries.verify(answer["query_id"])
        self.ledger.questions.append(answer["query_id"])

    def _files(self) -> Iterator[tuple[Path, int]]:
        while not self._stopping.is_set():
            yield self._large, LARGE_ROWS
            yield PENGUINS, ROWS
            self._stopping.wait(0.3)

    def stop(self) -> None:
        """Ends the work."""
        self._stopping.set()
        self._thread.join()


class Campaign:
    """A number of kills at random points, and the reckoning.

    `afterwards` is called when all processes are gone, before they start again.
    """

    def __init__(
        self,
        server: Server,
        folder: Path,
        seed: int,
        afterwards: Callable[[], None] = lambda: None,
    ) -> None:
        self.afterwards = afterwards
        self.ledger = Ledger()
        self.server = server.start()
        self.chance = random.Random(seed)
        self.builds: dict[str, str] = {}
        self.large = folder / "large.csv"
        header, *rows = PENGUINS.read_text().splitlines()
        repeated = [rows[number % ROWS] for number in range(LARGE_ROWS)]
        self.large.write_text("\n".join((header, *repeated, "")))
        with server.client() as client:
            self.dataset = client.uploads.send([PENGUINS])["upload_id"]

    def client(self) -> Client:
        """A client that tries only once."""
        self.server.client().close()
        return Client(self.server.url, self.server.key, retry=Retry(attempts=1), timeout=60)

    def kill(self, longest: float) -> None:
        """Puts the server to work, kills it within so many seconds, and starts it again."""
        self.disturb(longest, self.server.kill)
        assert self.server.left_behind() == set()
        self.afterwards()
        self.server.start()

    def disturb(self, longest: float, blow: Callable[[], None]) -> None:
        """Puts the server to work, and strikes a blow within so many seconds."""
        with self.client() as client:
            clerk = Clerk(client, self.large, self.dataset, self.ledger)
            clerk.do_small_things()
            clerk.start()
            name = f"penguins-{len(self.builds)}"
            intent = "Predict the species of a penguin"
            started = client.models.create(
                name, intent=intent, dataset_id=self.dataset, max_iterations=1
            )
            self.builds[name] = started["job_id"]
            time.sleep(self.chance.uniform(0.05, longest))
            blow()
            clerk.stop()

    def reckon(self) -> None:
        """Waits for the end of all that was acknowledged, and checks each."""
        with self.server.client() as client:
            for name, job_id in self.builds.items():
                assert client.jobs.wait(job_id, timeout=END_SECONDS)["status"] == "COMPLETED"
                assert client.models.read(name)["status"] == "READY"
                answer = client.predictions.infer(name, "v1.0", ROW)
                assert answer["result"]["species"] in SPECIES
            for upload_id, rows in self.ledger.uploads.items():
                upload = client.uploads.wait(upload_id, timeout=END_SECONDS)
                assert [file["rows"] for file in upload["files"]] == [rows]
            kept = {
                one["query_id"]
                for offset in range(0, len(self.ledger.questions) + 100, 100)
                for one in client.queries.verified(limit=100, offset=offset)["verified_queries"]
            }
            assert set(self.ledger.questions) <= kept
            for secret in self.ledger.keys:
                with Client(self.server.url, secret) as other:
                    assert other.jobs.list(limit=1)["jobs"]
            unfinished = [
                job
                for status in ("PENDING", "RUNNING", "FAILED", "CANCELLED")
                for job in client.jobs.list(status=status)["jobs"]
            ]
            assert unfinished == []
        assert list((self.server.data / "scratch" / "jobs").glob("*")) == []
        assert self.server.stop() == 0
        assert self.server.left_behind() == set()
