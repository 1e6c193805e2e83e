"""64 connections ask for one row and for many while models are built: fast, whole, and flat.

`SOAK_SECONDS` says how long, ten minutes where it does not.
"""

import csv
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.server import Server

import modelwright_client
from modelwright_client import Client

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
IDLE_SECONDS = 15.0
ROWS = 200
"""Rows of a batch."""
INFER = 56
"""Clients that ask for one row at a time."""
MANY = 8
"""Clients that ask for batches."""
PENGUINS = Path(modelwright_client.__file__).parent / "demo" / "penguins.csv"
WHERE = "/models/penguins/v1.0"


class TestLoad:
    def test_infer_stays_quick_while_models_are_built(self, tmp_path: Path):
        server = Server(tmp_path, build_seconds=15).start()
        try:
            client = server.client()
            upload_id = client.uploads.send([PENGUINS])["upload_id"]
            client.models.build("penguins", "Predict species", upload_id)
            idle = _load(server, IDLE_SECONDS, _calls(INFER, 0))["infer"]
            with _building(server, upload_id) as built, _watching(server) as memory:
                told = _load(server, SECONDS, _calls(INFER, MANY))
        finally:
            server.stop()
        settled, shown = memory[len(memory) // 5], memory[:: max(1, len(memory) // 10)]
        said = {"idle": idle, **told, "builds": len(built), "MB": shown}
        sys.stdout.write(f"{json.dumps(said)}\n")
        assert [one["failed"] for one in told.values()] == [[], []], said
        assert built, said
        assert told["infer"]["p99"] <= 10 * idle["p50"], said
        assert memory[-1] <= 1.1 * settled, said


def _calls(infer: int, many: int) -> list[dict[str, Any]]:
    with PENGUINS.open(encoding="utf-8", newline="") as file:
        whole = [row for row in csv.DictReader(file) if all(row.values())]
    rows = [{name: _read(value) for name, value in row.items()} for row in whole]
    rows = (rows * (ROWS // len(rows) + 1))[:ROWS]
    calls = [
        {"name": "infer", "path": f"{WHERE}/infer", "body": rows[0], "connections": infer},
        {"name": "many", "path": f"{WHERE}/predictions", "body": rows, "connections": many},
    ]
    return [call for call in calls if call["connections"]]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _load(server: Server, seconds: float, calls: list[dict[str, Any]]) -> dict[str, Any]:
    told = {"port": server.port, "key": server.key, "seconds": seconds, "calls": calls}
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.loading"],
        input=json.dumps(told), capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@contextmanager
def _building(server: Server, upload_id: str) -> Iterator[list[str]]:
    """Builds one model after the other; gives the names of those that became READY."""
    built: list[str] = []

    def build(stopped: threading.Event) -> None:
        client: Client = server.client()
        while not stopped.is_set():
            name = f"other{len(built)}"
            client.models.build(name, "Predict species", upload_id)
            built.append(name)

    with _meanwhile(build):
        yield built


@contextmanager
def _watching(server: Server) -> Iterator[list[float]]:
    """Gives the MiB that the API's process has to itself, second by second."""
    api = server.process.children()[0]
    memory: list[float] = []

    def look(stopped: threading.Event) -> None:
        while not stopped.wait(1.0):
            memory.append(round(api.memory_full_info().uss / 2**20, 1))

    with _meanwhile(look):
        yield memory


@contextmanager
def _meanwhile(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Has a thread work until it is told to stop, and waits for its end."""
    stopped = threading.Event()
    thread = threading.Thread(target=work, args=(stopped,))
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
