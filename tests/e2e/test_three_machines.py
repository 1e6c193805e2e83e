"""Three machines behind one address: replicas, sessions, deaths and draining."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.built_models import Built
from tests.e2e.cluster import ROOM, Cluster, Load, running, until
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_deployments import deploy, replicas

from modelwright_client import ModelwrightError
from modelwright_client.demo.table import PENGUINS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
COUNT = "select count(*) from penguins"
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


@pytest.fixture(scope="module")
def upload(cluster: Cluster) -> str:
    with cluster.client() as client:
        return client.uploads.send([PENGUINS])["upload_id"]


@pytest.fixture(scope="module")
def session(cluster: Cluster, upload: str) -> str:
    """A session that was first asked at the first machine."""
    with cluster.servers[0].client() as client:
        made = client.sessions.create(upload)["session_id"]
        client.queries.sql(COUNT, session_id=made)
        return made


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
        with cluster.http() as client:  # which does not try again, as the SDK does for a minute
            body = {"replicas": 4, "auto_scale": False}
            refused = client.post("/models/p/deploy", json=body)
        assert refused.status_code == 503
        assert f"3 of the 3 machines' {3 * ROOM} are free" in refused.json()["error"]["message"]


class TestSessions:
    def test_live_on_one_machine_and_are_asked_at_any(self, cluster: Cluster, session: str):
        for at, server in enumerate(cluster.servers):
            with server.client() as client:
                answer = client.queries.sql(COUNT, session_id=session)
                assert answer["rows"] == [[344]], at
                asked = client.sessions.queries(session)["queries"]
                assert len(asked) >= at + 1
        assert cluster.home_of(session) is cluster.servers[0]
        assert [bool(homes(one)) for one in cluster.servers] == [True, False, False]

    def test_tell_what_was_wrong_wherever_they_are_asked(self, cluster: Cluster, session: str):
        told = set()
        for server in cluster.servers:
            with server.client() as client, pytest.raises(ModelwrightError) as refused:
                client.queries.sql("select nothing from penguins", session_id=session)
            told.add(str(refused.value))
        assert len(told) == 1

    def test_end_where_they_live(self, cluster: Cluster, upload: str):
        with cluster.servers[1].client() as client:
            session = client.sessions.create(upload)["session_id"]
            client.queries.sql(COUNT, session_id=session)
        home = cluster.home_of(session)
        assert home is cluster.servers[1]
        before = homes(home)
        with cluster.servers[2].client() as client:
            client.sessions.end(session)
        until(lambda: len(homes(home)) == len(before) - 1)


class TestDeath:
    def test_of_a_machine_costs_no_answer_replica_or_session(
        self, cluster: Cluster, deployment: str, session: str
    ):
        victim = cluster.home_of(session)
        assert victim is not None
        left = [one for one in cluster.servers if one is not victim]
        load = Load(cluster, f"/predict/{deployment}", ROW)
        load.await_more()
        victim.kill()
        with left[0].client() as client:
            assert client.queries.sql(COUNT, session_id=session)["rows"] == [[344]]
        assert cluster.home_of(session) is left[0]
        took = until(lambda: sum(cluster.counts()) == 3, why=cluster.told)
        assert took < REPLACED_SECONDS
        load.await_more()
        assert load.stop() == []
        assert is_missed(left[1])
        assert "silent" in left[0].command("machines")
        victim.start()
        until(lambda: not is_missed(left[1]))
        assert sum(cluster.counts()) == 3


class TestDrain:
    def test_one_machine_is_stopped_and_started_again_and_nobody_notices(
        self, cluster: Cluster, deployment: str
    ):
        drained = next(one for one in cluster.servers if replicas(one))
        load = Load(cluster, f"/predict/{deployment}", ROW)
        load.await_more()
        assert "nothing left to do" in drained.command("drain", "--wait", "60")
        assert replicas(drained) == []
        assert sum(cluster.counts()) == 3
        assert "draining" in drained.command("machines")
        assert drained.stop() == 0
        load.await_more()
        drained.start()
        assert "works again" in drained.command("drain", "--undo")
        load.await_more()
        assert load.stop() == []
        assert max(tries for *_, tries in load.told) <= 2


def is_missed(server: Server) -> bool:
    """Whether health of a machine misses another one."""
    with server.client() as client:
        return client.health()["checks"]["machines"]["status"] == "down"


def homes(server: Server) -> list[Path]:
    """The folders of the sessions that live on a machine."""
    return list((server.data / "scratch" / "queries").glob("*"))
