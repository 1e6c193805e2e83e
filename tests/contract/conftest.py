"""One world a test process, in which every operation was carried out."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.conftest import empty_installation, migrated_database
from tests.contract.ids import mine
from tests.contract.world import World, make_shop, tour
from tests.unit.users.identity import running, told_of_provider

from modelwright.bootstrap.container import build_container
from modelwright.core.clock import SystemClock
from modelwright.server.app import create_app

__all__ = ["mine"]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[World]:
    """A container with the machine's own clock, after the tour."""
    place = tmp_path_factory.mktemp("world")
    make_shop(place / "files")
    with (
        migrated_database(place, f"world_{worker_id}") as database,
        running(SystemClock()) as idp,
    ):
        settings = empty_installation(place / "data", database)
        told = {"sqlite_folder": place / "files"} | told_of_provider(idp)
        container = build_container(settings.model_copy(update=told))
        with TestClient(create_app(container)) as running_app:
            world = World(container, running_app)
            tour(world)
            yield world
