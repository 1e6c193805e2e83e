"""The whole contract over three machines behind one address, a request to each in turn."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import cycle, islice

import httpx
import pytest
from tests.contract.formats import faults
from tests.contract.of_three import WorldOfThree, cluster_with_files
from tests.contract.shapes import ANSWERS, ELSEWHERE, NO_JSON
from tests.contract.together import Together
from tests.contract.world import tour

from modelwright.bootstrap.startup import open_container
from modelwright.core.limits.contract import LIMITS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
AT_ONCE = 8


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorldOfThree]:
    with cluster_with_files(tmp_path_factory.mktemp("three")) as cluster:
        container = open_container(cluster.servers[0].settings)
        with closing(container.database):
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
