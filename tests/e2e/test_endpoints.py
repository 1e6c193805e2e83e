"""Versions are promoted and rolled back under load: nothing fails, nothing answers out of turn."""

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial

import pytest
from tests.built_models import Built
from tests.e2e.in_service import Answer, Asking, Timeline, failed
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_serving import until
from tests.factories import ModelSide
from tests.unit.endpoints.conftest import another_version

from modelwright.bootstrap.startup import open_container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.users.service import Users

CONNECTIONS = 16
CHANGES = 30
NAME = "p"


def give_two_versions(server: Server, built: Built) -> None:
    """Makes a model with the READY versions v1.0, which is in service, and v1.1."""
    server.give_model(NAME, built)
    container = open_container(server.settings)
    with closing(container.database):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            users = container.service(Users)
            account_id = users.operator(db, server.settings.operator_email).user_id
        another_version(ModelSide(container, account_id), NAME, built)


@pytest.fixture
def two(new_server: Callable[..., Server], species: Built) -> list[Server]:
    """Two API processes on one folder."""
    first = new_server()
    give_two_versions(first, species)
    first.start()
    second = new_server().start()
    first.key = second.key = first.make_key()
    return [first, second]


class TestPromoting:
    @pytest.mark.timeout(300)
    def test_no_request_fails_and_none_is_answered_by_a_version_out_of_service(
        self, two: list[Server]
    ):
        clients = [server.client() for server in two]
        for client in clients:  # a version is read from storage by its first request
            for version in ("v1.0", "v1.1"):
                client.predictions.infer(NAME, version, ROW)
        asking = Asking(two, CONNECTIONS, f"/models/{NAME}/infer")
        timeline = Timeline("v1.0")
        until(lambda: len(asking.answers) > 5 * CONNECTIONS)
        for number in range(CHANGES):
            client, sent = clients[number % 2], time.perf_counter()
            if number % 3 == 2:
                told = client.endpoints.rollback(NAME)
            else:
                told = client.endpoints.promote(NAME, timeline.other("v1.0", "v1.1"))
            timeline.note(sent, told["model_version"])
            for one in clients:  # whichever process is asked next
                assert one.endpoints.infer(NAME, ROW)["model_version"] == told["model_version"]
        answers = asking.stop()
        for client in clients:
            client.close()
        assert failed(answers) == {}
        assert timeline.wrong(answers) == []
        assert {one.told["model_version"] for one in answers} == {"v1.0", "v1.1"}
        assert len({version for _, _, version in timeline.changes}) == 2

    @pytest.mark.timeout(300)
    def test_replicas_are_replaced_under_load_without_a_failure(
        self, new_server: Callable[..., Server], species: Built
    ):
        server = new_server()
        give_two_versions(server, species)
        with server.start().client() as client:
            made = client.deployments.deploy(NAME, model_version="v1.0", replicas=1)

            def at_work() -> dict[str, str]:
                listed = client.deployments.list(NAME)["deployments"]
                return {one["model_version"]: one["status"] for one in listed}

            def is_alone(version: str) -> bool:
                return at_work() == {version: "ACTIVE"}

            until(partial(is_alone, "v1.0"))
            assert client.endpoints.read(NAME)["deployment_id"] == made["deployment_id"]
            asking = Asking([server], CONNECTIONS, f"/models/{NAME}/infer")

            def has_answered(count: int) -> bool:
                return len(asking.answers) > count

            timeline = Timeline("v1.0")
            for change, version in (("promote", "v1.1"), ("rollback", "v1.0")):
                sent = time.perf_counter()
                if change == "promote":
                    told = client.endpoints.promote(NAME, version)
                else:
                    told = client.endpoints.rollback(NAME)
                timeline.note(sent, told["model_version"])
                until(partial(is_alone, version))
                until(partial(has_answered, len(asking.answers) + 5 * CONNECTIONS))
            answers = asking.stop()
        assert failed(answers) == {}
        assert timeline.wrong(answers) == []


class TestTimeline:
    def test_a_timeline_finds_answers_out_of_turn(self):
        """The check above can fail."""
        timeline = Timeline("v1.0", [(1.0, 2.0, "v1.1"), (5.0, 6.0, "v1.0")])
        old, new = {"model_version": "v1.0"}, {"model_version": "v1.1"}
        right = [
            Answer(0.0, 0.5, 200, old),
            Answer(1.9, 3.0, 200, old),
            Answer(0.5, 1.5, 200, new),
            Answer(5.5, 7.0, 200, new),
            Answer(6.5, 7.0, 200, old),
        ]
        wrong = [
            Answer(0.0, 0.5, 200, new),
            Answer(2.5, 3.0, 200, old),
            Answer(6.5, 7.0, 200, new),
            Answer(0.0, 9.0, 200, {"model_version": "v9.9"}),
        ]
        assert timeline.wrong(right + wrong) == wrong
