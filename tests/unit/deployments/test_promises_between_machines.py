"""What one of two machines promised, the other keeps: keys, addresses, events."""

import pytest
from fastapi.testclient import TestClient
from tests.contract.together import Together
from tests.factories import make_runner, next_job
from tests.in_process_children import in_process_children
from tests.unit.deployments.test_across_machines import MachineSide, pair

__all__ = ["in_process_children", "pair"]


class SmallWorld:
    """A client, and the first machine's work."""

    def __init__(self, machine: MachineSide) -> None:
        self.api = machine.client
        self._runner = make_runner(machine.container)

    def work(self) -> None:
        """Carries out what waits."""
        while job := next_job(self._runner):
            self._runner.carry_out(job, self._runner.begin(job))


@pytest.fixture
def world(pair: tuple[MachineSide, MachineSide]) -> SmallWorld:
    return SmallWorld(pair[0])


@pytest.fixture
def machines(pair: tuple[MachineSide, MachineSide]) -> list[TestClient]:
    return [one.client for one in pair]


@pytest.mark.usefixtures("in_process_children")
class TestPromises(Together):
    """Two machines in one process."""
