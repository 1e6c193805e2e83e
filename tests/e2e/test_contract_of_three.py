"""The whole contract over three machines behind one address, a request to each in turn."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import cycle, islice
from typing import Any

import httpx
import pytest
from tests.contract.formats import faults
from tests.contract.shapes import ANSWERS, ELSEWHERE, NO_JSON
from tests.contract.together import Together
from tests.contract.world import World, make_shop, tour
from tests.e2e.cluster import Cluster, running
from tests.unit.users import identity

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import open_container
from modelwright.core.clock import SystemClock
from modelwright.core.limits.contract import LIMITS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
WORKING_SECONDS = 90.0
AT_ONCE = 8


class Waiting:
    """In place of a host that is turned: the machines' own hosts need no turning."""

    def turn(self) -> None:
        time.sleep(0.1)

    def close(self) -> None:
        """Leaves them be."""


class WorldOfThree(World):
    """The tour, over HTTP; the work is the machines' own."""

    def __init__(self, container: Container, cluster: Cluster) -> None:
        super().__init__(container, cluster)

    def work(self) -> None:
        until = time.monotonic() + WORKING_SECONDS
        while any(self._open(status) for status in ("PENDING", "RUNNING")):
            assert time.monotonic() < until
            time.sleep(0.1)

    def _open(self, status: str) -> int:
        answer = self.api.get("/jobs", params={"status": status, "limit": 1})
        return int(answer.json()["pagination"]["total"])

    def host(self) -> Any:
        return Waiting()

    def _paths(self) -> dict[str, Any]:
        document = httpx.get(f"{self._running.url}/openapi.json", timeout=60).json()
        return dict(document["paths"])

    def _client(self, key: str = "") -> Any:
        headers = {"x-api-key": key} if key else None
        return httpx.Client(base_url=self._running.url, headers=headers, timeout=60)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorldOfThree]:
    folder = tmp_path_factory.mktemp("three")
    make_shop(folder / "files")
    with ExitStack() as stack:
        idp = stack.enter_context(identity.running(SystemClock()))
        told = identity.told_of_provider(idp) | {"oidc_client_secret": idp.secret}
        cluster = stack.enter_context(running(folder, sqlite_folder=folder / "files", **told))
        container = open_container(cluster.servers[0].settings)
        stack.enter_context(closing(container.database))
        world = WorldOfThree(container, cluster)
        tour(world)
        yield world


@pytest.fixture(scope="module")
def machines(world: WorldOfThree) -> list[httpx.Client]:
    """A client of each machine, past the one address."""
    return [httpx.Client(base_url=one.url, timeout=60) for one in world._running.servers]


@pytest.mark.timeout(240)
class TestTour:
    def test_every_answer_is_as_the_contract_says(self, world: WorldOfThree):
        for name in ANSWERS:
            for answer in world.answers[name]:
                found = [list(faults(shape, answer.json(), name)) for shape in ANSWERS[name]]
                assert [] in found, (min(found, key=len), answer.text)
        assert set(ANSWERS) <= set(world.answers)
        others = {name for name in world.answers if not name.startswith(ELSEWHERE)}
        assert others - ANSWERS.keys() <= NO_JSON | {"users.leave", "users.arrive"}

    def test_every_machine_had_its_part_in_it(self, world: WorldOfThree):
        for server in world._running.servers:
            assert server.log.read_text().count("http.answered") > 30


class TestTogether(Together):
    def test_the_rate_of_requests_is_one_and_exact(
        self, world: WorldOfThree, machines: list[httpx.Client]
    ):
        headers = {"x-api-key": world._running.servers[1].make_key("rates@example.org")}
        most, more = LIMITS.requests_per_minute_basic, 20
        with ThreadPoolExecutor(AT_ONCE) as callers:
            clients = islice(cycle(machines), most + more)
            answers = list(callers.map(lambda one: one.get("/auth/user", headers=headers), clients))
        assert sorted(one.status_code for one in answers) == [200] * most + [429] * more
