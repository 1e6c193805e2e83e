"""One world a test process, in which every operation was carried out there."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.conftest import empty_installation, migrated_database
from tests.contract.world import World, make_shop, tour
from tests.in_process_children import children_in_process
from tests.transactions import Waits, Watched, noted, watch
from tests.unit.users.identity import running, told_of_provider

from modelwright.bootstrap import adapters
from modelwright.bootstrap.container import build_container
from modelwright.core.clock import SystemClock
from modelwright.core.config.secret_files import read_or_make
from modelwright.server.app import create_app
from modelwright.storage.url_signer import UrlSigner


@pytest.fixture(scope="session")
def waits() -> Waits:
    """What the world's transactions waited for."""
    return Waits()


@pytest.fixture(scope="session")
def world(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, waits: Waits
) -> Iterator[World]:
    """A container with the machine's own clock, after the tour."""
    place = tmp_path_factory.mktemp("world")
    make_shop(place / "files")
    with (
        migrated_database(place, f"world_{worker_id}") as database,
        running(SystemClock()) as idp,
    ):
        settings = empty_installation(place / "data", database)
        told = {"sqlite_folder": place / "files"} | told_of_provider(idp)
        settings = settings.model_copy(update=told)
        signer = UrlSigner(read_or_make(settings.data_dir / "storage.key"))
        stored = adapters.make_object_store(settings, signer, SystemClock())
        container = build_container(settings, objects=Watched(stored, waits))
        watch(container.database.engine)
        with TestClient(create_app(container)) as running_app:
            world = World(container, running_app)
            with noted(waits), children_in_process():
                tour(world)
            yield world
