"""A server with a small real model: it is loaded, reads, is started again, and is looked after."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest
from tests.e2e.server import Server, lives
from tests.ports import free_port
from tests.unit.language_models.conftest import weights

from modelwright.language_models.domain import ModelFile, Place, place_of
from modelwright_client.demo.table import PENGUINS

pytestmark = pytest.mark.timeout(300)
LOAD_SECONDS = 90.0
CALLS = "modelwright_language_model_calls_total{"


def until(true: Callable[[], object], seconds: float = LOAD_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "It did not come about in time."
        time.sleep(0.2)


@pytest.fixture
def file() -> Path:
    return weights()


@pytest.fixture
def server(new_server: Callable[..., Server], file: Path) -> Server:
    port = free_port()
    settings = {"language_model_file": str(file), "language_model_seconds": 20}
    return new_server(**settings, metrics_port=port).start()


def place(server: Server, file: Path) -> Place:
    return place_of(server.data, ModelFile(file.stem, file.resolve()))


def health(server: Server) -> str:
    checks = httpx.get(f"{server.url}/data/health").json()["checks"]
    return str(checks["language_models"]["status"])


def ask(server: Server, question: str) -> int:
    """Asks in words; whether so small a model reads rightly is not what is looked at."""
    return answered(server, question).status_code


def answered(server: Server, question: str) -> httpx.Response:
    return httpx.post(
        f"{server.url}/data/query",
        json={"query_type": "natural_language", "query": question},
        headers={"X-API-Key": server.key},
        timeout=60,
    )


def calls(server: Server) -> float:
    """How often the model was asked."""
    page = httpx.get(f"http://127.0.0.1:{server.settings.metrics_port}/metrics").text
    lines = [one for one in page.splitlines() if one.startswith(CALLS)]
    return float(lines[0].split()[-1])


def model_process(server: Server) -> psutil.Process | None:
    """The child that has the model's file in its memory."""
    for child in server.process.children():
        with suppress(psutil.NoSuchProcess):
            if any(one.path.endswith(".gguf") for one in child.memory_maps()):
                return child
    return None


class TestServer:
    def test_reads_with_a_model_that_dies_and_comes_back(self, server: Server, file: Path):
        until(lambda: health(server) == "ok")
        client = server.client()
        upload = client.uploads.send([PENGUINS])
        client.sessions.create(upload["upload_id"])
        kept = place(server, file).prefixes
        until(lambda: any(kept.iterdir()))  # the schema was read before any question
        assert ask(server, "how many penguins are there?") in {200, 422}
        assert calls(server) >= 1

        dead = model_process(server)
        assert dead
        dead.kill()
        until(lambda: not lives(dead.pid))
        assert ask(server, "how many penguins are there?") in {200, 422}
        until(lambda: (now := model_process(server)) and now.pid != dead.pid)
        until(lambda: health(server) == "ok")
        told = server.command("doctor")
        assert file.stem in told

        client.uploads.delete(upload["upload_id"])
        until(lambda: not any(kept.iterdir()))
        status = server.stop()
        assert status == 0

    def test_that_stands_still_is_replaced_and_questions_are_answered_meanwhile(
        self, new_server: Callable[..., Server], file: Path
    ):
        given = {"language_model_file": str(file), "language_model_seconds": 55}
        server = new_server(**given, metrics_port=free_port(), hung_seconds=2.0).start()
        until(lambda: health(server) == "ok")
        client = server.client()
        upload = client.uploads.send([PENGUINS])
        client.sessions.create(upload["upload_id"])
        kept = place(server, file).prefixes
        until(lambda: any(kept.iterdir()))
        stopped = model_process(server)
        assert stopped
        stopped.suspend()

        answer = answered(server, "how many penguins are there?")
        assert answer.status_code == 200, answer.text  # by the rules
        assert "no sign of life" in answer.text
        assert answer.elapsed.total_seconds() < given["language_model_seconds"] / 2  # type: ignore[operator]

        until(lambda: not lives(stopped.pid))
        until(lambda: (now := model_process(server)) and now.pid != stopped.pid)
        until(
            lambda: "no sign of life" not in answered(server, "how many penguins are there?").text
        )

    def test_without_a_model_says_so_in_doctor(self, new_server: Callable[..., Server]):
        plain = new_server().start()
        assert "language_models" not in httpx.get(f"{plain.url}/data/health").json()["checks"]
        assert "read by rules alone" in plain.command("doctor")
