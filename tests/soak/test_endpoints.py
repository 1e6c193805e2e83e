"""A thousand promotions and rollbacks while 64 connections ask for one row.

`SOAK_CHANGES` says how many, where it should be fewer.
"""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from tests.built_models import Built
from tests.e2e.in_service import Asking, Timeline, failed
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_endpoints import NAME, give_two_versions

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
CHANGES = int(os.environ.get("SOAK_CHANGES", "1000"))
CONNECTIONS = 64
MOST_SECONDS = 1.0
"""How long a promotion or a rollback may take."""


@pytest.mark.timeout(1800)
def test_nothing_fails_and_every_change_is_quick(tmp_path: Path, species: Built):
    server = Server(tmp_path)
    give_two_versions(server, species)
    try:
        with server.start().client() as client:
            for version in ("v1.0", "v1.1"):
                client.predictions.infer(NAME, version, ROW)
            asking = Asking([server], CONNECTIONS, f"/models/{NAME}/infer")
            timeline = Timeline("v1.0")
            for number in range(CHANGES):
                sent = time.perf_counter()
                if number % 2:
                    told = client.endpoints.rollback(NAME)
                else:
                    told = client.endpoints.promote(NAME, "v1.1")
                timeline.note(sent, told["model_version"])
            answers = asking.stop()
    finally:
        server.stop()
    slowest = timeline.slowest_seconds
    said = {"changes": CHANGES, "answers": len(answers), "slowest_seconds": round(slowest, 3)}
    sys.stdout.write(f"{json.dumps(said)}\n")
    assert failed(answers) == {}, said
    assert timeline.wrong(answers) == [], said
    assert slowest <= MOST_SECONDS, said
