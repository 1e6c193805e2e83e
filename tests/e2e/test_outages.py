"""The bucket or Redis goes away under load and comes back: nothing acknowledged is lost.

Each goes in two ways: it is killed, so that nobody answers, and it stands still, so that
connections are taken and no answer comes. Nobody does anything to the server meanwhile.
"""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from tests import s3_server
from tests.built_models import Built
from tests.e2e.killing import ROW, Campaign
from tests.e2e.server import Server
from tests.e2e.test_serving import until
from tests.process_names import named
from tests.s3_server import settings_of
from tests.unit.core import redis_server

from modelwright_client.demo.table import PENGUINS

AWAY_SECONDS = 8.0
BACK_SECONDS = 60.0
"""Within which the server must have found by itself that all is well again."""
REFUSED_SECONDS = 90.0
"""Within which a request is refused for a bucket that stands still."""
CALLERS = 4
MOST_SECONDS = 5.0
"""A prediction takes no longer beside a Redis that is away: one request at a time asks for it."""


@contextmanager
def away(part: Any, *, hung: bool) -> Iterator[None]:
    """Takes a part away until the end of the block, by a kill or by having it stand still."""
    process: subprocess.Popen[bytes] = part.process
    if hung:
        process.send_signal(signal.SIGSTOP)
    else:
        part.stop()
    try:
        yield
    finally:
        if hung:
            process.send_signal(signal.SIGCONT)
        else:
            part.start()


def check_of(server: Server, name: str) -> str:
    """How health says that a part stands."""
    told = httpx.get(f"{server.url}/data/health", timeout=REFUSED_SECONDS).json()
    return str(told["checks"][name]["status"])


class Callers:
    """Ask for predictions without pause; keep what was no 200, and the slowest answer."""

    def __init__(self, server: Server, model: str) -> None:
        self.failed: list[tuple[int, str]] = []
        self.answers = 0
        self.slowest = 0.0
        self._server, self._path = server, f"/models/{model}/v1.0/infer"
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._call) for _ in range(CALLERS)]

    def _call(self) -> None:
        signed = {"x-api-key": self._server.key}
        with httpx.Client(base_url=self._server.url, headers=signed, timeout=60) as client:
            while not self._stopping.is_set():
                started = time.monotonic()
                answer = client.post(self._path, json=ROW)
                self.slowest = max(self.slowest, time.monotonic() - started)
                self.answers += 1
                if answer.status_code != 200:
                    self.failed.append((answer.status_code, answer.text))

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Has them call until the end of the block."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            for thread in self._threads:
                thread.join()


@pytest.mark.timeout(900)
class TestRedis:
    def test_gone_and_back_changes_no_answer_and_loses_nothing(
        self, new_server: Callable[..., Server], tmp_path: Path, species: Built
    ):
        (tmp_path / "redis").mkdir()
        with redis_server.running(tmp_path / "redis") as redis:
            server = new_server(redis_url=redis.url)
            server.give_model("species", species)
            campaign = Campaign(server, tmp_path, seed=12)
            server.command("users", "set-tier", server.settings.operator_email, "enterprise")
            callers = Callers(server, "species")

            def has_answered(count: int) -> bool:
                return callers.answers > count

            def go_and_come_back() -> None:
                for hung in (False, True):
                    with away(redis, hung=hung):
                        seen = callers.answers
                        until(lambda: check_of(server, "counters") != "ok", within=BACK_SECONDS)
                        until(partial(has_answered, seen + 100), within=BACK_SECONDS)
                    until(lambda: check_of(server, "counters") == "ok", within=BACK_SECONDS)

            with callers.at_work():
                campaign.disturb(1.0, go_and_come_back)
            assert callers.failed == []
            assert callers.slowest < MOST_SECONDS
            campaign.reckon()


@pytest.mark.timeout(300)
class TestWorker:
    def test_one_that_starts_while_the_bucket_is_away_waits_and_says_so(self, tmp_path: Path):
        (tmp_path / "s3").mkdir()
        with s3_server.running(tmp_path / "s3") as s3, ExitStack() as stack:
            s3.make("shared")
            server = Server(tmp_path, **settings_of(s3.named("shared"))).start()
            stack.callback(server.stop)
            until(lambda: check_of(server, "processes") == "ok", within=BACK_SECONDS)
            with away(s3, hung=False):
                worker_of(server).kill()
                until(lambda: check_of(server, "processes") == "down", within=BACK_SECONDS)
                told = httpx.get(f"{server.url}/data/health", timeout=REFUSED_SECONDS).json()
                said = told["checks"]["processes"]["message"]
                assert said == "The worker waits for the storage, and begins as soon as it can."
                waiting = worker_of(server).pid
                time.sleep(AWAY_SECONDS / 2)  # in which it was started again a few times
                assert worker_of(server).pid == waiting
                assert server.log.read_text().count('"supervise.child_died"') == 1
            until(lambda: check_of(server, "processes") == "ok", within=BACK_SECONDS)
            assert worker_of(server).pid == waiting
            with server.client() as client:
                upload_id = client.uploads.send([PENGUINS])["upload_id"]
                assert client.uploads.read(upload_id)["status"] == "complete"


def worker_of(server: Server) -> psutil.Process:
    """The worker that runs now."""
    until(lambda: bool(named(server.process, "worker")), within=BACK_SECONDS)
    return named(server.process, "worker")[0]


@pytest.mark.soak
@pytest.mark.timeout(3600)
class TestBucket:
    def test_gone_and_back_six_times_under_load_loses_nothing(self, tmp_path: Path):
        (tmp_path / "s3").mkdir()
        with s3_server.running(tmp_path / "s3") as s3:
            s3.make("shared")
            server = Server(tmp_path, **settings_of(s3.named("shared")))
            campaign = Campaign(server, tmp_path, seed=13)
            slowest = 0.0
            for hung in (False, True) * 3:

                def go_and_come_back(hung: bool = hung) -> None:
                    nonlocal slowest
                    with away(s3, hung=hung):
                        slowest = max(slowest, refused(server))
                        time.sleep(AWAY_SECONDS)
                    until(lambda: check_of(server, "storage") == "ok", within=BACK_SECONDS)

                campaign.disturb(6.0, go_and_come_back)
            campaign.reckon()
        told = {
            "uploads": len(campaign.ledger.uploads),
            "builds": len(campaign.builds),
            "slowest refusal": round(slowest, 1),
        }
        sys.stdout.write(f"{json.dumps(told)}\n")


def refused(server: Server) -> float:
    """Sees what needs the bucket refused in words, and what does not answered; returns seconds."""
    signed = {"x-api-key": server.key}
    with httpx.Client(base_url=server.url, headers=signed, timeout=REFUSED_SECONDS) as client:
        file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 8}
        made = client.post("/data/upload", json={"files": [file]}).raise_for_status().json()
        named = [{"filename": "a.csv", "object_key": made["files"][0]["object_key"]}]
        body = {"upload_id": made["upload_id"], "status": "complete", "files": named}
        started = time.monotonic()
        answer = client.post("/uploads/status", json=body)
        took = time.monotonic() - started
        assert answer.status_code == 503, answer.text
        error = answer.json()["error"]
        assert error["code"] == "service_unavailable"
        assert "storage can't be used now" in error["message"]
        assert int(answer.headers["retry-after"]) > 0
        assert client.get("/auth/api-keys").status_code == 200
        assert check_of(server, "storage") == "down"
        client.delete(f"/uploads/{made['upload_id']}").raise_for_status()
    return took
