"""Real servers for the journeys."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.e2e.server import Server


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
    """A server that answers; builds take at most five seconds."""
    return new_server(build_seconds=5).start()
