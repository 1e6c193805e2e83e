"""Replicas of the version in service: they answer, and are replaced without a gap."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO

from modelwright.core.config.settings import Settings
from modelwright.deployments.replica_host import ReplicaHost
from modelwright.predictions.service import Predictions

Turn = Callable[[Callable[[], bool]], None]
WHERE = "/models/penguins/endpoints/production"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A machine for three replicas."""
    return settings.model_copy(update={"replicas_at_most": 3})


@pytest.fixture
def by_replicas(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The deployments whose replicas were asked, in their order."""
    assert api
    asked: list[str] = []
    deployed = Predictions.deployed

    async def noting(
        self: Predictions, caller: Any, deployment: Any, *given: Any, **more: Any
    ) -> bytes:
        answer = await deployed(self, caller, deployment, *given, **more)
        asked.append(deployment.deployment_id)
        return answer

    monkeypatch.setattr(Predictions, "deployed", noting)
    return asked


def listed(api: TestClient) -> dict[str, dict[str, Any]]:
    told = api.get("/models/penguins/deployments").json()["deployments"]
    return {one["deployment_id"]: one for one in told}


def deploy(api: TestClient, **body: Any) -> str:
    answer = api.post("/models/penguins/deploy", json={"model_version": "v1.0"} | body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["deployment_id"])


def answering(api: TestClient) -> str:
    answer = api.post("/models/penguins/infer", json=GENTOO)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["model_version"])


def is_active(api: TestClient, deployment_id: str) -> Callable[[], bool]:
    return lambda: listed(api)[deployment_id]["status"] == "ACTIVE"


@contextmanager
def damaged(settings: Settings) -> Iterator[None]:
    """Damages every stored model meanwhile; what answers has it in memory."""
    stored = {path: path.read_bytes() for path in settings.objects_dir.rglob("artifacts/*/1/*.zip")}
    assert stored
    for path in stored:
        path.unlink()  # it may be a link to what other tests read
        path.write_text("{}")
    yield
    for path, content in stored.items():
        path.write_bytes(content)


class TestAnswers:
    def test_come_from_the_replicas_of_the_version_in_service_alone(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        beside = deploy(api, model_version="v1.1")
        turn_until(is_active(api, beside))
        assert (answering(api), by_replicas) == ("v1.0", [])
        made = deploy(api)
        turn_until(is_active(api, made))
        for _ in range(2):
            assert answering(api) == "v1.0"
        assert by_replicas == [made, made]
        assert api.get(WHERE).json()["deployment_id"] == made

    def test_are_those_of_the_api_in_all_their_forms(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        asks = [
            ("infer", GENTOO),
            ("infer?include=probabilities", GENTOO),
            ("infer", [GENTOO]),
            ("infer", {"island": "Biscoe"}),
            ("infer?include=moon", GENTOO),
            ("predictions", [GENTOO] * 3),
            ("predictions", GENTOO),
            ("predictions?errors=rows", [GENTOO, {"island": 3}]),
        ]

        def told(verb: str, body: Any) -> tuple[int, Any]:
            answer = api.post(f"/models/{penguins}/{verb}", json=body)
            text = answer.text
            for name in ("request_id",):
                for one in answer.json() if isinstance(answer.json(), list) else [answer.json()]:
                    text = text.replace(str(one.get(name) or one.get("error", {}).get(name)), "")
            return answer.status_code, text

        here = [told(*ask) for ask in asks]
        turn_until(is_active(api, deploy(api)))
        assert [told(*ask) for ask in asks] == here
        assert len(by_replicas) == 4


class TestPromote:
    def test_new_replicas_are_ready_before_the_former_ones_drain(
        self,
        api: TestClient,
        penguins: str,
        host: ReplicaHost,
        turn_until: Turn,
        by_replicas: list[str],
    ) -> None:
        first = deploy(api, replicas=1, auto_scale=False)
        turn_until(is_active(api, first))
        answer = api.patch(WHERE, json={"model_version": "v1.1"})
        assert (answer.status_code, answer.json()["deployment_id"]) == (200, None)
        assert answering(api) == "v1.1"
        assert by_replicas == []
        second = next(one for one in listed(api) if one != first)
        heir = listed(api)[second]
        assert (heir["model_version"], heir["replicas"], heir["auto_scale"]) == ("v1.1", 1, False)
        states = []

        def handed_over() -> bool:
            told = {one: facts["status"] for one, facts in listed(api).items()}
            states.append((told.get(first), told.get(second)))
            assert answering(api) == "v1.1"
            return first not in told

        turn_until(handed_over)
        assert ("ACTIVE", "DEPLOYING") in states
        assert not {("UNDEPLOYING", "DEPLOYING"), (None, "DEPLOYING")} & set(states)
        assert answering(api) == "v1.1"
        assert set(by_replicas) == {second}
        assert api.get(WHERE).json()["deployment_id"] == second

    def test_a_rollback_before_the_new_replicas_answer_keeps_the_former_ones(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        first = deploy(api)
        turn_until(is_active(api, first))
        api.patch(WHERE, json={"model_version": "v1.1"})
        api.post(f"{WHERE}/rollback")
        assert answering(api) == "v1.0"
        assert by_replicas == [first]
        turn_until(lambda: set(listed(api)) == {first})
        assert listed(api)[first]["status"] == "ACTIVE"

    def test_where_the_new_replicas_fail_the_former_ones_stay_and_are_told_of(
        self,
        api: TestClient,
        penguins: str,
        settings: Settings,
        turn_until: Turn,
        by_replicas: list[str],
    ) -> None:
        first = deploy(api)
        turn_until(is_active(api, first))
        api.patch(WHERE, json={"model_version": "v1.1"})
        [second] = set(listed(api)) - {first}
        with damaged(settings):
            turn_until(lambda: listed(api)[second]["status"] == "FAILED")
        why = listed(api)[second]["error"]
        assert first in why
        assert "roll back" in why
        assert listed(api)[first]["status"] == "ACTIVE"
        api.post(f"{WHERE}/rollback")
        assert answering(api) == "v1.0"
        assert by_replicas == [first]

    def test_where_the_new_replicas_failed_those_that_are_deployed_again_take_over(
        self, api: TestClient, penguins: str, settings: Settings, turn_until: Turn
    ) -> None:
        first = deploy(api)
        turn_until(is_active(api, first))
        api.patch(WHERE, json={"model_version": "v1.1"})
        [second] = set(listed(api)) - {first}
        with damaged(settings):
            turn_until(lambda: listed(api)[second]["status"] == "FAILED")
        third = deploy(api, model_version="v1.1")
        turn_until(lambda: set(listed(api)) == {second, third})
        assert listed(api)[third]["status"] == "ACTIVE"

    def test_where_there_is_no_room_for_both_the_api_answers_meanwhile(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        first = deploy(api, replicas=2, auto_scale=False)
        turn_until(is_active(api, first))
        assert api.patch(WHERE, json={"model_version": "v1.1"}).status_code == 200
        assert listed(api)[first]["status"] == "UNDEPLOYING"
        [second] = set(listed(api)) - {first}

        def has_replicas() -> bool:
            assert answering(api) == "v1.1"
            return is_active(api, second)()

        turn_until(has_replicas)
        assert answering(api) == "v1.1"
        assert by_replicas[-1] == second

    def test_replicas_that_run_already_answer_at_once(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        first, second = deploy(api), deploy(api, model_version="v1.1")
        turn_until(lambda: is_active(api, first)() and is_active(api, second)())
        told = api.patch(WHERE, json={"model_version": "v1.1"}).json()
        assert told["deployment_id"] == second
        assert answering(api) == "v1.1"
        assert by_replicas == [second]
        turn_until(lambda: set(listed(api)) == {second})

    def test_other_environments_and_versions_keep_their_replicas(
        self, api: TestClient, penguins: str, turn_until: Turn
    ) -> None:
        staging = deploy(api, environment="staging")
        first = deploy(api)
        turn_until(lambda: is_active(api, staging)() and is_active(api, first)())
        api.patch(WHERE, json={"model_version": "v1.1"})
        turn_until(lambda: first not in listed(api))
        assert listed(api)[staging]["status"] == "ACTIVE"
        assert api.get("/models/penguins/endpoints/staging").json()["model_version"] == "v1.0"


class TestWithoutReplicas:
    def test_the_api_answers_while_replicas_are_away(
        self, api: TestClient, penguins: str, host: ReplicaHost, turn_until: Turn
    ) -> None:
        turn_until(is_active(api, deploy(api)))
        host.close()
        assert answering(api) == "v1.0"

    def test_undeploying_leaves_the_version_in_service(
        self, api: TestClient, penguins: str, turn_until: Turn, by_replicas: list[str]
    ) -> None:
        made = deploy(api)
        turn_until(is_active(api, made))
        api.delete(f"/models/{penguins}/deployments/{made}")
        assert (answering(api), by_replicas) == ("v1.0", [])
        answer = api.post(f"/predict/{made}", json=GENTOO)
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
