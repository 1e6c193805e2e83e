"""Real replicas of real artifacts, kept by a host that the test turns by hand."""

import time
from collections.abc import Callable, Iterator

import psutil
import pytest
from tests.built_models import Built, put_to_work
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container
from modelwright.deployments.replica_host import ReplicaHost
from modelwright.deployments.replica_set import State

SOON = 50.0


@pytest.fixture
def host(container: Container) -> Iterator[ReplicaHost]:
    made = container.host()
    yield made
    made.close()


@pytest.fixture
def turn_until(host: ReplicaHost) -> Callable[[Callable[[], bool]], None]:
    """Turns the host until something is true."""

    def turn(true: Callable[[], bool]) -> None:
        end = time.monotonic() + SOON
        while not true():
            assert time.monotonic() < end
            host.turn()
            time.sleep(0.01)

    return turn


@pytest.fixture
def penguins(model_side: ModelSide, species: Built) -> str:
    """A READY model of the species."""
    put_to_work(model_side, "penguins", species)
    return "penguins"


def replicas(host: ReplicaHost) -> list[psutil.Process]:
    """The replica processes that run."""
    replica_sets = host.replica_sets.values()
    return [psutil.Process(one.pid) for replica_set in replica_sets for one in replica_set.replicas]


def answering(host: ReplicaHost) -> int:
    """How many replicas are ready."""
    sets = host.replica_sets.values()
    return sum(one.state is State.READY for each in sets for one in each.replicas)
