"""The same neighbours on a machine that does nothing else, held to the bound as it is said.

Prints what each kind of work took alone and beside the two, with the load of the machine before.
"""

import os
import sys
from collections.abc import Iterator

import pytest
from benchmarks.report import table
from tests.e2e.server import Server
from tests.e2e.test_neighbours import (
    TestIngestions,
    TestJobs,
    TestPredictions,
    TestPreviews,
    TestQueries,
    TestUploads,
    Third,
    _busy,
    hostile,
    idle,
    large,
    server,
    stored,
)

__all__ = [
    "TestIngestions",
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


@pytest.fixture(scope="module")
def third(server: Server) -> Iterator[Third]:
    load = os.getloadavg()[0]
    with server.client() as client:
        made = Third(server, client, crowd=1.0)
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
