"""The same neighbours on a machine that does nothing else, held to the bound as it is said.

Prints what each kind of work took alone and beside the two, with the load of the machine before.
"""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.report import table
from tests.e2e.server import Server
from tests.e2e.test_neighbours import (
    DATABASE,
    TestJobs,
    TestPredictions,
    TestPreviews,
    TestQueries,
    TestUploads,
    Third,
    _busy,
    cancel_all,
    hostile,
    idle,
    idle_seconds,
    large,
    running,
    server,
    stored,
)
from tests.e2e.test_serving import INTENT, until

from modelwright_client import Client

__all__ = [
    "TestJobs",
    "TestPredictions",
    "TestPreviews",
    "TestQueries",
    "TestUploads",
    "_busy",
    "hostile",
    "idle",
    "large",
    "server",
    "stored",
]
pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]
SLOW_SQLITE = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300000000)"
    " SELECT count(*) AS n FROM c"
)


@pytest.fixture(scope="module")
def kinds() -> tuple[str, ...]:
    return ("upload", "export", "score", "analyse")


@pytest.fixture(scope="module")
def third(server: Server) -> Iterator[Third]:
    load = os.getloadavg()[0]
    with server.client() as client:
        made = Third(server, client)
        yield made
    rows = [
        {
            "work": name.strip("_"),
            "s alone": round(alone, 2),
            "s beside two": round(beside, 2),
            "allowed": round(2 * alone + 1, 2),
        }
        for name, alone, beside in made.served
    ]
    sys.stdout.write(f"load before: {load:.1f}\n{table(rows)}\n")


class TestBuilds:
    def test_a_small_build_goes_beside_those_of_two_others(
        self, third: Third, hostile: list[Client], stored: list[str]
    ) -> None:
        names = iter(f"small-{number}" for number in range(100))

        def build() -> None:
            order: dict[str, Any] = {"intent": INTENT, "max_iterations": 1}
            order["dataset_id"] = third.upload_id
            job_id = third.client.models.create(next(names), **order)["job_id"]
            assert third.client.jobs.wait(job_id, timeout=120)["status"] == "COMPLETED"

        idle = idle_seconds(build)
        for client, upload_id in zip(hostile, stored, strict=True):
            for number in range(2):
                client.models.create(f"large-{number}", intent="Predict b", dataset_id=upload_id)
        until(lambda: any(map(running, hostile)))
        third.is_served(build, idle)
        assert any(map(running, hostile))
        cancel_all(hostile)


class TestIngestions:
    def test_one_goes_beside_the_endless_ones_of_two_others(
        self, third: Third, hostile: list[Client]
    ) -> None:
        def connect(client: Client) -> str:
            made = client.connections.create("one", "sqlite", database=DATABASE)
            return str(made["connection_id"])

        own = connect(third.client)

        def ingest() -> None:
            made = third.client.ingestions.create(own, dataset_name="brought", table="t")
            assert third.client.jobs.wait(made["job_id"], timeout=60)["status"] == "COMPLETED"

        idle = idle_seconds(ingest)
        for client in hostile:
            connection_id = connect(client)
            for _ in range(4):
                client.ingestions.create(connection_id, dataset_name="n", query=SLOW_SQLITE)
        until(lambda: all(map(running, hostile)))
        third.is_served(ingest, idle)
        third.is_served(third.upload, idle_seconds(third.upload))
        assert all(map(running, hostile))
        cancel_all(hostile)
