"""Kills a server at work again and again, and holds it to what it had acknowledged.

A clerk uploads without pause, so that every kill falls into requests, processing and a build.
"""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.server import Server

from modelwright_client import Client, ModelwrightError, Retry
from modelwright_client.demo.table import PENGUINS

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


class Clerk:
    """Uploads small and large files until told to stop; remembers what was acknowledged."""

    def __init__(self, client: Client, large: Path) -> None:
        self.acknowledged: dict[str, int] = {}
        self._client = client
        self._large = large
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        for path, rows in self._files():
            try:
                upload = self._client.uploads.send([path], wait=False)
            except ModelwrightError:
                return
            self.acknowledged[upload["upload_id"]] = rows

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
    """A number of kills at random points, and the reckoning."""

    def __init__(self, server: Server, folder: Path, seed: int) -> None:
        self.server = server.start()
        self.chance = random.Random(seed)
        self.uploads: dict[str, int] = {}
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
        with self.client() as client:
            clerk = Clerk(client, self.large)
            name = f"penguins-{len(self.builds)}"
            order = {"intent": "Predict the species of a penguin", "dataset_id": self.dataset}
            started = client.models.create(name, **order, max_iterations=1)
            self.builds[name] = started["job_id"]
            time.sleep(self.chance.uniform(0.05, longest))
            self.server.kill()
            clerk.stop()
        self.uploads |= clerk.acknowledged
        assert self.server.left_behind() == set()
        self.server.start()

    def reckon(self) -> None:
        """Waits for the end of all that was acknowledged, and checks each."""
        with self.server.client() as client:
            for name, job_id in self.builds.items():
                assert client.jobs.wait(job_id, timeout=END_SECONDS)["status"] == "COMPLETED"
                assert client.models.read(name)["status"] == "READY"
                answer = client.predictions.infer(name, "v1.0", ROW)
                assert answer["result"] == {"species": "Gentoo"}
            for upload_id, rows in self.uploads.items():
                upload = client.uploads.wait(upload_id, timeout=END_SECONDS)
                assert [file["rows"] for file in upload["files"]] == [rows]
            unfinished = [
                job
                for status in ("PENDING", "RUNNING", "FAILED", "CANCELLED")
                for job in client.jobs.list(status=status)["jobs"]
            ]
            assert unfinished == []
        assert list((self.server.data / "scratch" / "jobs").glob("*")) == []
        assert self.server.stop() == 0
        assert self.server.left_behind() == set()
