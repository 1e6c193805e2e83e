"""A server with a small real model: it is loaded, reads, is started again, and is looked after."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest
from tests.e2e.server import Server, lives
from tests.unit.language_models.conftest import weights

from modelwright.language_models.domain import ModelFile, Place, place_of
from modelwright_client.demo.table import PENGUINS

pytestmark = pytest.mark.timeout(300)
LOAD_SECONDS = 90.0


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
    return new_server(language_model_file=str(file), language_model_seconds=20).start()


def place(server: Server, file: Path) -> Place:
    return place_of(server.data, ModelFile(file.stem, file.resolve()))


def health(server: Server) -> str:
    checks = httpx.get(f"{server.url}/data/health").json()["checks"]
    return str(checks["language_models"]["status"])


def model_process(server: Server) -> psutil.Process:
    """The child that has the model's file in its memory."""
    return next(
        child
        for child in server.process.children()
        if any(one.path.endswith(".gguf") for one in child.memory_maps())
    )


class TestServer:
    def test_reads_with_a_model_that_dies_and_comes_back(self, server: Server, file: Path):
        until(lambda: health(server) == "ok")
        client = server.client()
        upload = client.uploads.send([PENGUINS])
        client.sessions.create(upload["upload_id"])
        kept = place(server, file).prefixes
        until(lambda: any(kept.iterdir()))  # the schema was read before any question
        first = client.queries.ask("how many penguins are there?")
        assert first["rows"] == [[344]]

        dead = model_process(server)
        dead.kill()
        until(lambda: not lives(dead.pid))
        answer = client.queries.ask("how many islands are there?")
        assert answer["row_count"] >= 1
        until(lambda: model_process(server).pid != dead.pid)
        told = server.command("doctor")
        assert file.stem in told

        client.uploads.delete(upload["upload_id"])
        until(lambda: not any(kept.iterdir()))
        status = server.stop()
        assert status == 0

    def test_without_a_model_says_so_in_doctor(self, new_server: Callable[..., Server]):
        plain = new_server().start()
        assert "language_models" not in httpx.get(f"{plain.url}/data/health").json()["checks"]
        assert "read by rules alone" in plain.command("doctor")
