"""What operators are told of machines: by the doctor, by health and by the metrics."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from prometheus_client.core import Metric
from tests.conftest import POSTGRES

from modelwright.bootstrap.container import Container
from modelwright.cli.doctor import Finding, examine
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.machines.domain import PACE_CLUSTER, MachineIdentity, MachinePart
from modelwright.machines.service import Machines
from modelwright.server.metrics import MachineGauges

FIRST = MachineIdentity("machine_1", "one", "127.0.0.1:1", "0.1.0", 4)
SECOND = MachineIdentity("machine_2", "two", "127.0.0.1:2", "0.1.0", 8)
UNREACHED = MachineIdentity("machine_3", "three", "", "0.1.0", 8)
own_clock = pytest.mark.skipif(bool(POSTGRES), reason="goes by the clock of the database")
Beat = Callable[..., None]


@pytest.fixture
def beat(container: Container) -> Beat:
    """Has a machine give signs of life of some parts, so many seconds ago."""

    def give(here: MachineIdentity, *parts: MachinePart, ago: float = 0.0) -> None:
        machines = Machines(FrozenClock(SystemClock().now() - timedelta(seconds=ago)), here)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            for part in parts:
                machines.beat(db, part)

    return give


class TestDoctor:
    @staticmethod
    def finding(settings: Settings) -> Finding:
        return next(one for one in examine(settings) if one.part == "machines")

    def test_names_the_machines_and_what_each_runs(self, settings: Settings, beat: Beat):
        beat(FIRST, *MachinePart)
        beat(SECOND, MachinePart.WORKER)
        found = self.finding(settings)
        assert found.remedy == ""
        assert "one 0.1.0 (api, worker, replicas)" in found.message
        assert "two 0.1.0 (worker)" in found.message

    @own_clock
    def test_says_which_one_fell_silent(self, settings: Settings, beat: Beat):
        beat(FIRST, *MachinePart)
        beat(SECOND, MachinePart.API, ago=PACE_CLUSTER.lease_seconds + 1)
        found = self.finding(settings)
        assert found.remedy == "see why two is silent, or stop it in order"

    def test_says_that_machines_do_not_reach_each_other(self, settings: Settings, beat: Beat):
        beat(FIRST, *MachinePart)
        beat(UNREACHED, *MachinePart)
        found = self.finding(settings)
        assert "they do not reach each other" in found.message
        assert "MODELWRIGHT_CLUSTER_LISTEN" in found.remedy


class TestHealth:
    @own_clock
    def test_misses_an_api_that_fell_silent_until_it_is_back_or_was_stopped(
        self, anonymous_client: TestClient, container: Container, clock: FrozenClock
    ):
        second = Machines(clock, SECOND)

        def status() -> str:
            checks = anonymous_client.get("/data/health").json()["checks"]
            return str(checks["machines"]["status"])

        with container.database.transaction(ALL_ACCOUNTS) as db:
            second.beat(db, MachinePart.API)
        assert status() == "ok"
        clock.advance(seconds=PACE_CLUSTER.lease_seconds + 1)
        assert status() == "down"
        with container.database.transaction(ALL_ACCOUNTS) as db:
            second.beat(db, MachinePart.API)
        assert status() == "ok"
        clock.advance(seconds=PACE_CLUSTER.lease_seconds + 1)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            second.leave(db, MachinePart.API)
        assert status() == "ok"


class TestMetrics:
    @own_clock
    def test_tell_of_each_part_whether_it_lives_and_who_is_drained(
        self, container: Container, clock: FrozenClock
    ):
        first, second = Machines(clock, FIRST), Machines(clock, SECOND)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            second.beat(db, MachinePart.API)
        clock.advance(seconds=PACE_CLUSTER.lease_seconds + 1)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            first.beat(db, MachinePart.API)
            first.beat(db, MachinePart.WORKER)
            first.leave(db, MachinePart.WORKER)
            first.drain(db, "machine_1", is_draining=True)
        told = {one.name: one for one in MachineGauges(container).collect()}
        assert values(told["modelwright_machine_up"]) == {
            ("machine_1", "api"): 1.0,
            ("machine_2", "api"): 0.0,
        }
        assert values(told["modelwright_machine_draining"]) == {
            ("machine_1",): 1.0,
            ("machine_2",): 0.0,
        }


def values(metric: Metric) -> dict[tuple[str, ...], float]:
    return {tuple(one.labels.values()): one.value for one in metric.samples}
