"""Two machines of one cluster in one process: replicas, their requests and sessions across both.

They share a database and the objects; the clock stands still unless a test moves it, so that a
machine is as dead as the test wants it.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO, Built, put_to_work
from tests.conftest import share_compiled
from tests.factories import ModelSide
from tests.unit.deployments.conftest import SOON, answering
from tests.unit.endpoints.conftest import another_version

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.deployments.replica_host import ReplicaHost
from modelwright.machines.service import Machines
from modelwright.server.app import create_app
from modelwright.server.membership import joined
from modelwright.sessions.service import Sessions

SECRET = "known to these machines and nobody else"
ROOM = 2


class MachineSide:
    """One machine: its container, the host of its replicas, and a client of its API."""

    def __init__(self, container: Container, client: TestClient) -> None:
        self.container = container
        self.client = client
        self.host: ReplicaHost = container.host()
        self.is_dead = False

    def turn(self, *, is_sure: bool = True) -> None:
        """Takes a turn, with a sign of life, and sure of what others have not said unless told."""
        if not self.is_dead:
            self.host._beat_at = min(self.host._beat_at, 1.0)
            self.host._controller._next = 0.0
            if is_sure:
                self.host._controller._sure_from = 0.0
            self.host._sure_until = 0.0
            self.host.turn()

    def die(self) -> None:
        """Ends at once, as by a power cut: it says nothing any more, and its replicas are gone."""
        self.is_dead = True
        for replica_set in self.host.replica_sets.values():
            for replica in replica_set.replicas:
                replica.kill("")
                replica.reap()
        self.host.replica_sets.clear()


@pytest.fixture
def pair(
    settings: Settings,
    tmp_path: Path,
    clock: FrozenClock,
    make_key: Callable[..., str],
) -> Iterator[tuple[MachineSide, MachineSide]]:
    """Two machines that serve."""
    key = make_key()
    folders = [settings.data_dir, tmp_path / "second"]
    folders[1].mkdir()
    settings.objects_dir.mkdir(exist_ok=True)
    (folders[1] / "objects").symlink_to(settings.objects_dir.resolve())
    for kept in ("storage.key", "secret.key"):
        (folders[1] / kept).write_bytes((folders[0] / kept).read_bytes())
        (folders[1] / kept).chmod(0o600)
    machines = []
    with ExitStack() as stack:
        for folder in folders:
            listener = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
            told = {
                "data_dir": folder,
                "database_url": settings.database,
                "cluster_listen": f"127.0.0.1:{listener.getsockname()[1]}",
                "cluster_secret": type(settings.secret_key)(SECRET),
                "replicas_at_most": ROOM,
            }
            own = settings.model_copy(update=told)
            for name in ("scratch_dir", "objects_dir", "copies_dir"):
                own.__dict__.pop(name, None)  # what the copy remembers is the other machine's
            container = build_container(own, clock=clock, counters=MemoryRateLimitStore(clock))
            share_compiled(container.database.engine)
            app = create_app(container)
            app.state.joins = lambda it=container, at=listener: joined(it, at)
            client = TestClient(app, headers={"x-api-key": key}, raise_server_exceptions=False)
            machines.append(MachineSide(container, stack.enter_context(client)))
            stack.callback(machines[-1].host.close)
        for one in machines:
            one.turn()
        yield machines[0], machines[1]


@pytest.fixture
def penguins(pair: tuple[MachineSide, MachineSide], species: Built) -> str:
    """A READY model of the species."""
    account = pair[0].client.get("/auth/user").json()["user_id"]
    put_to_work(ModelSide(pair[0].container, account), "penguins", species)
    return "penguins"


def turn_until(pair: tuple[MachineSide, MachineSide], true: Callable[[], bool]) -> None:
    """Turns both machines until something is true."""
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end, counts(pair)
        for one in pair:
            one.turn()
        time.sleep(0.02)


def counts(pair: tuple[MachineSide, MachineSide]) -> list[int]:
    """How many replicas are ready on each."""
    return [answering(one.host) for one in pair]


def deploy(pair: tuple[MachineSide, MachineSide], replicas: int) -> str:
    """Deploys the penguins and waits until they answer."""
    body = {"replicas": replicas, "auto_scale": False}
    made = pair[0].client.post("/models/penguins/deploy", json=body).json()
    turn_until(pair, lambda: status(pair) == "ACTIVE")
    return str(made["deployment_id"])


def status(pair: tuple[MachineSide, MachineSide]) -> str:
    [shown] = pair[1].client.get("/models/penguins/deployments").json()["deployments"]
    return str(shown["status"])


def answers(machine: MachineSide, deployment: str) -> bool:
    """Whether a machine has a request of the deployment answered."""
    answer = machine.client.post(f"/predict/{deployment}", json=GENTOO)
    assert answer.status_code == 200, answer.text
    return bool(answer.json()["result"] == {"species": "Gentoo"})


class TestReplicas:
    def test_are_as_many_as_were_asked_for_and_any_machine_answers(
        self, pair: tuple[MachineSide, MachineSide], penguins: str
    ):
        first = deploy(pair, 1)
        assert sum(counts(pair)) == 1
        assert answers(pair[0], first)
        assert answers(pair[1], first)
        body = {"replicas": 4, "auto_scale": False}
        refused = pair[1].client.post("/models/penguins/deploy", json=body)
        assert refused.status_code == 503
        assert "3 of the 2 machines' 4 are free" in error_of(refused)["message"]
        health = pair[1].client.get("/data/health").json()["checks"]["deployments"]
        assert health["status"] == "ok"
        pair[1].client.delete(f"/models/penguins/deployments/{first}")
        gone = "/models/penguins/deployments"
        turn_until(pair, lambda: pair[0].client.get(gone).json()["deployments"] == [])
        assert counts(pair) == [0, 0]

    def test_of_a_dead_machine_are_replaced_and_of_one_that_comes_back_let_go(
        self, pair: tuple[MachineSide, MachineSide], penguins: str, clock: FrozenClock
    ):
        deployment = deploy(pair, 2)
        assert counts(pair) == [1, 1]
        pair[0].die()
        assert answers(pair[1], deployment)
        clock.advance(seconds=9)
        turn_until(pair, lambda: counts(pair) == [0, 2])
        assert answers(pair[1], deployment)
        pair[0].is_dead = False
        for _ in range(3):
            turn_until(pair, lambda: True)
        assert counts(pair) == [0, 2]

    def test_of_a_silent_machine_stay_until_a_lease_after_the_database_came_back(
        self, pair: tuple[MachineSide, MachineSide], penguins: str, clock: FrozenClock
    ):
        deploy(pair, 2)
        pair[0].die()
        clock.advance(seconds=9)
        pair[1].host._controller.lost_sight(time.monotonic())
        for _ in range(5):
            pair[1].turn(is_sure=False)
        assert counts(pair) == [0, 1]
        turn_until(pair, lambda: counts(pair) == [0, 2])

    def test_of_a_machine_that_is_drained_move_before_they_go(
        self, pair: tuple[MachineSide, MachineSide], penguins: str
    ):
        deployment = deploy(pair, 2)
        drain(pair[0], is_draining=True)
        fewest = [2]

        def moved() -> bool:
            fewest[0] = min(fewest[0], sum(counts(pair)))
            return counts(pair) == [0, 2]

        turn_until(pair, moved)
        assert fewest == [2]
        assert answers(pair[0], deployment)
        body = {"replicas": 1, "auto_scale": False}
        refused = pair[0].client.post("/models/penguins/deploy", json=body)
        assert "0 of the 2 machines' 2 are free" in error_of(refused)["message"]

    def test_one_that_dies_while_it_is_asked_from_elsewhere_costs_no_answer(
        self, pair: tuple[MachineSide, MachineSide], penguins: str
    ):
        deployment = deploy(pair, 1)
        [home] = [one for one in pair if answering(one.host)]
        [other] = [one for one in pair if one is not home]
        assert answers(other, deployment)
        [replica_set] = home.host.replica_sets.values()
        replica_set.replicas[0].kill("")
        turn_until(pair, lambda: sum(counts(pair)) == 0)
        turn_until(pair, lambda: sum(counts(pair)) == 1)
        assert answers(other, deployment)


class TestWhatIsTold:
    def test_of_a_version_that_each_machine_answers_by_itself(
        self, pair: tuple[MachineSide, MachineSide], penguins: str
    ):
        """It has no place: every machine loads it when it is asked, and none counts as its own."""
        for one in pair:
            answer = one.client.post("/models/penguins/v1.0/infer", json=GENTOO)
            assert answer.json()["result"] == {"species": "Gentoo"}, answer.text
            assert told(one) == (None, [], "ok")
        assert counts(pair) == [0, 0]
        assert pair[1].client.delete("/models/penguins").status_code == 200
        for one in pair:
            gone = one.client.post("/models/penguins/v1.0/infer", json=GENTOO)
            assert gone.status_code == 404, gone.text

    def test_of_a_deployment_on_each_machine_and_when_one_of_them_dies(
        self, pair: tuple[MachineSide, MachineSide], penguins: str, clock: FrozenClock
    ):
        deployment = deploy(pair, 2)
        at_work = ("DEPLOYED", ["v1.0"])
        assert [told(one) for one in pair] == [(*at_work, "ok")] * 2
        pair[0].die()
        clock.advance(seconds=9)
        # where PostgreSQL's clock counts for leases, it has not moved
        wait_until(lambda: told(pair[1]) == (*at_work, "down"))
        turn_until(pair, lambda: counts(pair) == [0, 2])
        assert told(pair[1]) == (*at_work, "ok")
        pair[1].client.delete(f"/models/penguins/deployments/{deployment}")
        assert told(pair[1]) == ("UNDEPLOYED", [], "ok")


def wait_until(true: Callable[[], bool]) -> None:
    """Waits until something is true, while no machine takes a turn."""
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def told(machine: MachineSide) -> tuple[str | None, list[str], str]:
    """What a machine tells of the penguins' deployments: the status, the versions, the health."""
    model = machine.client.get("/models/penguins").json()
    health = machine.client.get("/data/health").json()["checks"]["deployments"]["status"]
    return model["deployment_status"], model["deployed_versions"], health


class TestSessions:
    @pytest.fixture
    def session(self, pair: tuple[MachineSide, MachineSide], penguins: str) -> str:
        """A session that lives on the first machine."""
        upload = pair[0].client.get("/uploads").json()["uploads"][0]["upload_id"]
        made = pair[0].client.post("/data/sessions", json={"upload_id": upload}).json()
        session, table = str(made["session_id"]), made["tables"][0]["table"]
        assert ask(pair[0], session, f"select * from {table}").status_code == 200
        return session

    def test_are_asked_from_any_machine_and_live_on_one(
        self, pair: tuple[MachineSide, MachineSide], session: str
    ):
        here, there = (ask(one, session).json() for one in pair)
        assert (here["rows"], here["columns"]) == (there["rows"], there["columns"])
        assert children(pair) == [1, 0]
        wrong = [ask(one, session, "select nothing from nowhere") for one in pair]
        told = [{**error_of(one), "request_id": ""} for one in wrong]
        assert told[0] == told[1]

    def test_move_when_their_machine_is_drained_or_gone(
        self, pair: tuple[MachineSide, MachineSide], session: str, clock: FrozenClock
    ):
        drain(pair[0], is_draining=True)
        pair[1].container.service(Sessions).executors._homes.clear()  # type: ignore[union-attr]
        assert ask(pair[1], session).status_code == 200
        assert children(pair)[1] == 1

    def test_end_everywhere(self, pair: tuple[MachineSide, MachineSide], session: str):
        assert pair[1].client.delete(f"/data/sessions/{session}").status_code == 200
        end = time.monotonic() + SOON
        while children(pair) != [0, 0]:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert ask(pair[0], session).status_code == 409


def ask(machine: MachineSide, session: str, sql: str = "select 1 as one") -> Any:
    return machine.client.post(
        "/data/query", json={"query_type": "sql", "query": sql, "session_id": session}
    )


def children(pair: tuple[MachineSide, MachineSide]) -> list[int]:
    """How many query processes each machine has."""
    return [one.container.service(Sessions).executors.own._pool.alive for one in pair]  # type: ignore[union-attr]


def drain(machine: MachineSide, *, is_draining: bool) -> None:
    machines = machine.container.service(Machines)
    with machine.container.database.transaction(ALL_ACCOUNTS) as db:
        machines.drain(db, machines.here.machine_id, is_draining=is_draining)


class TestRevokedKey:
    def test_gets_no_prediction_of_the_other_machine_any_more(
        self, pair: tuple[MachineSide, MachineSide], penguins: str
    ):
        deployment = deploy(pair, 2)
        paths = [
            f"/predict/{deployment}",
            f"/models/{penguins}/infer",
            f"/models/{penguins}/v1.0/infer",
        ]
        body = {"name": "short-lived", "permission_level": "read_only"}
        for here, other in (pair, pair[::-1]):
            made = here.client.post("/auth/api-keys", json=body).json()
            headers = {"x-api-key": made["key"]}
            before = [other.client.post(one, json=GENTOO, headers=headers) for one in paths]
            assert {one.status_code for one in before} == {200}
            here.client.delete(f"/auth/api-keys/{made['key_id']}")
            told = [other.client.post(one, json=GENTOO, headers=headers) for one in paths]
            assert [error_of(one)["code"] for one in told] == ["revoked_key"] * len(paths)


class TestPromotion:
    def test_is_the_other_machines_from_the_next_request_on(
        self, pair: tuple[MachineSide, MachineSide], penguins: str, species: Built
    ):
        account = pair[0].client.get("/auth/user").json()["user_id"]
        another_version(ModelSide(pair[0].container, account), penguins, species)

        def versions() -> set[str]:
            asked = [one.client.post(f"/models/{penguins}/infer", json=GENTOO) for one in pair]
            return {one.json()["model_version"] for one in asked}

        assert versions() == {"v1.0"}
        where = f"/models/{penguins}/endpoints/production"
        for here, other in (pair, pair[::-1]):
            assert here.client.patch(where, json={"model_version": "v1.1"}).status_code == 200
            assert versions() == {"v1.1"}
            assert other.client.post(f"{where}/rollback").status_code == 200
            assert versions() == {"v1.0"}
