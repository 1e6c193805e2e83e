"""Real servers for the journeys."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.server import Server
from tests.ports import free_port

HUNG_SECONDS = 2.0
DATABASE = "one.sqlite"


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Makes a server over the test's folder, with settings; it is stopped after the test."""
    servers: list[Server] = []

    def make(**settings: object) -> Server:
        servers.append(Server(tmp_path, **settings))
        return servers[-1]

    yield make
    for server in servers:
        server.stop()


@pytest.fixture
def server(new_server: Callable[..., Server]) -> Server:
    """A server that answers; its builds of six seconds are good only where nothing else runs."""
    return new_server(build_seconds=6).start()


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server whose parts may be silent for two seconds."""
    folder = tmp_path_factory.mktemp("hanging")
    databases = folder / "databases"
    databases.mkdir()
    with closing(sqlite3.connect(databases / DATABASE)) as connection:
        connection.execute("create table t as select 1 as a")
    server = Server(
        folder, hung_seconds=HUNG_SECONDS, metrics_port=free_port(), sqlite_folder=databases
    )
    yield server.start()
    server.stop()
