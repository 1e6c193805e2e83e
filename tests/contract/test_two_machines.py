"""The whole tour over two machines of one cluster, a request to each in turn."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import cycle
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from tests.conftest import empty_installation, migrated_database
from tests.contract.formats import faults
from tests.contract.shapes import ANSWERS
from tests.contract.world import World, make_shop, tour
from tests.in_process_children import children_in_process
from tests.unit.users.identity import running, told_of_provider

from modelwright.bootstrap.container import build_container
from modelwright.core.clock import SystemClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.machines.domain import MachinePart
from modelwright.machines.service import Machines
from modelwright.server.app import create_app
from modelwright.server.membership import joined

SECRET = "known to these machines and nobody else"


class InTurn:
    """Clients of several machines, one of which sends each request; they share their cookies."""

    def __init__(self, clients: list[TestClient]) -> None:
        self._clients = cycle(clients)
        self.app = clients[0].app
        self.headers = clients[0].headers
        for one in clients:
            one._cookies = clients[0]._cookies

    def __getattr__(self, verb: str) -> Any:
        return getattr(next(self._clients), verb)


class WorldOfTwo(World):
    """The tour over two machines; the first one does the work."""

    def __init__(self, container: Any, machines: list[TestClient]) -> None:
        self._machines = machines
        super().__init__(container, machines[0])

    def do(self, name: str, *told: Any, **more: Any) -> Any:
        if name == "deployments.deploy":  # needs a machine that says it has room
            with self.container.database.transaction(ALL_ACCOUNTS) as db:
                self.container.service(Machines).beat(db, MachinePart.REPLICAS)
        return super().do(name, *told, **more)

    def _client(self, key: str = "") -> Any:
        made = []
        for machine in self._machines:
            self._running = machine
            made.append(super()._client(key))
        self._running = self._machines[0]
        return InTurn(made)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[WorldOfTwo]:
    place = tmp_path_factory.mktemp("two")
    make_shop(place / "files")
    clock = SystemClock()
    counters = MemoryRateLimitStore(clock)
    with ExitStack() as stack:
        database = stack.enter_context(migrated_database(place, f"two_{worker_id}"))
        idp = stack.enter_context(running(clock))
        first = empty_installation(place / "data", database)
        machines, containers = [], []
        for name in ("data", "other"):
            folder = place / name
            folder.mkdir(exist_ok=True)
            if name == "other":
                for kept in ("storage.key", "secret.key"):
                    (folder / kept).write_bytes((place / "data" / kept).read_bytes())
                    (folder / kept).chmod(0o600)
                (folder / "objects").symlink_to(place / "data" / "objects")
            listener = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
            told = {
                "data_dir": folder,
                "database_url": first.database,
                "cluster_listen": f"127.0.0.1:{listener.getsockname()[1]}",
                "cluster_secret": SecretStr(SECRET),
                "sqlite_folder": place / "files",
                **told_of_provider(idp),
            }
            settings = first.model_copy(update=told)
            for remembered in ("scratch_dir", "objects_dir", "copies_dir"):
                settings.__dict__.pop(remembered, None)
            container = build_container(settings, counters=counters)
            (place / "data" / "objects").mkdir(exist_ok=True)
            app = create_app(container)
            app.state.joins = lambda it=container, at=listener: joined(it, at)
            machines.append(stack.enter_context(TestClient(app)))
            containers.append(container)
        world = WorldOfTwo(containers[0], machines)
        with children_in_process():
            tour(world)
        yield world


class TestTour:
    @pytest.mark.timeout(400)
    def test_every_answer_is_as_the_contract_says(self, two: WorldOfTwo):
        for name in ANSWERS:
            for answer in two.answers[name]:
                found = [list(faults(shape, answer.json(), name)) for shape in ANSWERS[name]]
                assert [] in found, (min(found, key=len), answer.text)
        assert set(ANSWERS) <= set(two.answers)
