"""Three machines behind one address: replicas, sessions, deaths and draining."""

from collections.abc import Iterator

import pytest
from tests.built_models import Built
from tests.e2e.cluster import ROOM, Cluster, running, until
from tests.e2e.killing import ROW
from tests.e2e.test_deployments import Callers, deploy

from modelwright_client import ModelwrightError

GENTOO = {"species": "Gentoo"}
REPLACED_SECONDS = 15.0
"""Within which others take a dead machine's place."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, species: Built) -> Iterator[Cluster]:
    with running(tmp_path_factory.mktemp("machines")) as cluster:
        cluster.servers[0].give_model("p", species)
        yield cluster


@pytest.fixture(scope="module")
def deployment(cluster: Cluster) -> str:
    """A deployment with three replicas."""
    with cluster.client() as client:
        return deploy(client, "p", replicas=3, auto_scale=False)


class TestReplicas:
    def test_are_as_many_as_asked_for_and_spread(self, cluster: Cluster, deployment: str):
        assert cluster.counts() == [1, 1, 1]

    def test_any_machine_answers_for_any_deployment(self, cluster: Cluster):
        with cluster.client() as client:
            alone = deploy(client, "p", replicas=1, auto_scale=False)
            assert sum(cluster.counts()) == 4
            for server in cluster.servers:
                with server.client() as one:
                    assert one.deployments.infer(alone, ROW)["result"] == GENTOO
            client.deployments.undeploy("p", alone)
            until(lambda: sum(cluster.counts()) == 3)

    def test_beyond_the_room_of_all_machines_are_refused(self, cluster: Cluster, deployment: str):
        with cluster.client() as client, pytest.raises(ModelwrightError) as refused:
            client.deployments.deploy("p", replicas=4, auto_scale=False)
        room = 3 * ROOM
        assert f"3 of the 3 machines' {room} are free" in str(refused.value)

    def test_of_a_machine_that_dies_are_replaced(self, cluster: Cluster, deployment: str):
        callers = Callers(cluster.servers[0], deployment)
        victim = cluster.servers[2]
        victim.kill()
        took = until(lambda: sum(cluster.counts()[:2]) == 3, why=cluster.counts)
        assert took < REPLACED_SECONDS
        seen = len(callers.statuses)
        until(lambda: len(callers.statuses) > seen + 20)
        assert callers.stop() == {200}
        victim.start()
        assert sum(cluster.counts()) == 3
