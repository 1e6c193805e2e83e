"""The life of deployments over HTTP; replicas run only where a test turns the host."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.built_models import GENTOO, Built, put_to_work
from tests.factories import ModelSide
from tests.unit.deployments.conftest import answering, replicas

from modelwright.core.config.settings import Settings
from modelwright.deployments.replica_host import ReplicaHost

Turn = Callable[[Callable[[], bool]], None]
Worker = Callable[[], int]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """A machine for three replicas."""
    return settings.model_copy(update={"replicas_at_most": 3})


@pytest.fixture
def ready(model_side: ModelSide) -> str:
    """A model with a READY version whose artifact is not there."""
    model_side.ready("churn")
    return "churn"


def deploy(api: TestClient, model: str = "churn", **body: Any) -> dict[str, Any]:
    answer = api.post(f"/models/{model}/deploy", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def listed(api: TestClient, model: str = "churn") -> list[dict[str, Any]]:
    return list(api.get(f"/models/{model}/deployments").json()["deployments"])


class TestOneAccount:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"replicas_per_account": 2})

    def test_takes_no_more_than_it_may(self, api: TestClient, ready: str) -> None:
        deploy(api, replicas=2, auto_scale=False)
        answer = api.post(f"/models/{ready}/deploy", json={})
        assert answer.status_code == 503
        assert "0 of your account's 2 are free" in error_of(answer)["message"]
        assert "MODELWRIGHT_REPLICAS_PER_ACCOUNT" in error_of(answer)["message"]


class TestDeploy:
    def test_answers_in_the_contract_s_shape(
        self, api: TestClient, model_side: ModelSide, ready: str
    ) -> None:
        made = deploy(api)
        versions = api.get(f"/models/{ready}/versions").json()["versions"]
        deployment_id = made.pop("deployment_id")
        assert deployment_id.startswith("dep_")
        assert made == {
            "model_name": "churn",
            "model_version": "v1.0",
            "version_id": versions[0]["version_id"],
            "version": 1,
            "status": "DEPLOYING",
            "endpoint": f"http://testserver/predict/{deployment_id}",
            "environment": "production",
            "replicas": 1,
            "auto_scale": True,
            "created_at": "2026-03-02T12:00:00Z",
            "error": None,
        }

    def test_needs_no_body(self, api: TestClient, ready: str) -> None:
        assert api.post(f"/models/{ready}/deploy").status_code == 200

    def test_takes_the_newest_ready_version_or_the_one_named(
        self, api: TestClient, model_side: ModelSide, ready: str
    ) -> None:
        newer = model_side.next(ready)
        assert deploy(api)["model_version"] == "v1.0"
        answer = api.post(f"/models/{ready}/deploy", json={"model_version": "v1.1"})
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        model_side.start(newer)
        model_side.finish(newer)
        assert deploy(api)["model_version"] == "v1.1"
        assert deploy(api, model_version="v1.0")["model_version"] == "v1.0"

    def test_refuses_a_model_without_a_ready_version(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.draft("early")
        answer = api.post("/models/early/deploy", json={})
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")

    def test_refuses_unknown_models_and_labels(self, api: TestClient, ready: str) -> None:
        assert error_of(api.post("/models/none/deploy"))["code"] == "not_found"
        for label in ("v9.9", ""):
            answer = api.post(f"/models/{ready}/deploy", json={"model_version": label})
            assert answer.status_code == 404
            assert "model_version" in error_of(answer)["message"]

    @pytest.mark.parametrize(
        "body",
        [
            {"environment": "moon"},
            {"environment": 1},
            {"replicas": 0},
            {"replicas": 33},
            {"replicas": "2"},
            {"replicas": True},
            {"auto_scale": "yes"},
        ],
    )
    def test_refuses_wrong_members_naming_them(
        self, api: TestClient, ready: str, body: dict[str, Any]
    ) -> None:
        answer = api.post(f"/models/{ready}/deploy", json=body)
        assert (answer.status_code, error_of(answer)["code"]) == (422, "validation_error")
        assert error_of(answer)["details"][0]["field"] == next(iter(body))

    def test_refuses_what_the_machine_has_no_room_for(
        self, api: TestClient, other_account_client: TestClient, ready: str
    ) -> None:
        assert deploy(api, replicas=32)["replicas"] == 32
        deploy(api, replicas=2, auto_scale=False)
        answer = api.post(f"/models/{ready}/deploy", json={})
        assert (answer.status_code, error_of(answer)["code"]) == (503, "service_unavailable")
        assert "replicas" in error_of(answer)["message"]
        api.delete(f"/models/{ready}/deployments/{listed(api)[0]['deployment_id']}")
        assert api.post(f"/models/{ready}/deploy", json={}).status_code == 200

    def test_those_who_ask_at_once_get_no_more_than_there_is(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str], ready: str
    ) -> None:
        clients = [as_key(make_key()) for _ in range(6)]
        start = Barrier(len(clients))

        def ask(client: TestClient) -> int:
            start.wait(60)
            return int(client.post(f"/models/{ready}/deploy", json={}).status_code)

        with ThreadPoolExecutor(len(clients)) as pool:
            assert sorted(pool.map(ask, clients)) == [200, 200, 200, 503, 503, 503]

    def test_is_a_job_that_can_be_seen_and_cancelled(
        self, api: TestClient, ready: str, worker: Worker
    ) -> None:
        made = deploy(api)
        [job] = api.get("/jobs?kind=deployment").json()["jobs"]
        assert job["deployment_id"] == made["deployment_id"]
        assert (job["model_name"], job["status"]) == ("churn", "PENDING")
        assert api.post(f"/jobs/{job['job_id']}/cancel").status_code == 200
        worker()
        [shown] = listed(api)
        assert (shown["status"], shown["error"]) == ("FAILED", "It was cancelled.")


class TestList:
    def test_is_newest_first_in_pages(self, api: TestClient, ready: str) -> None:
        made = [deploy(api)["deployment_id"] for _ in range(3)]
        answer = api.get(f"/models/{ready}/deployments?limit=2").json()
        assert [one["deployment_id"] for one in answer["deployments"]] == made[:0:-1]
        assert answer["pagination"] == {"total": 3, "limit": 2, "offset": 0, "has_more": True}
        assert (answer["model_name"], answer["model_version"]) == ("churn", "v1.0")
        rest = api.get(f"/models/{ready}/deployments?offset=2").json()
        assert rest["pagination"] == {"total": 3, "limit": 100, "offset": 2, "has_more": False}


class TestUndeploy:
    def test_works_while_deploying_and_again(self, api: TestClient, ready: str) -> None:
        made = deploy(api)
        where = f"/models/{ready}/deployments/{made['deployment_id']}"
        answer = api.delete(where)
        assert answer.json() == {
            "model_name": "churn",
            "model_version": "v1.0",
            "deployment_id": made["deployment_id"],
            "status": "UNDEPLOYING",
            "undeployed_at": "2026-03-02T12:00:00Z",
        }
        assert api.delete(where).json() == answer.json()

    def test_refuses_unknown_ids_and_those_of_other_models(
        self, api: TestClient, model_side: ModelSide, ready: str
    ) -> None:
        made = deploy(api)["deployment_id"]
        model_side.ready("other")
        for where in (f"churn/deployments/dep_0{'0' * 31}", f"other/deployments/{made}"):
            answer = api.delete(f"/models/{where}")
            assert answer.status_code == 404
            assert "deployment_id" in error_of(answer)["message"]


class TestFailing:
    def test_an_artifact_that_is_gone_fails_and_can_be_undeployed(
        self, api: TestClient, ready: str, turn_until: Turn, worker: Worker
    ) -> None:
        made = deploy(api)
        turn_until(lambda: listed(api)[0]["status"] == "FAILED")
        assert listed(api)[0]["error"]
        answer = api.post(f"/predict/{made['deployment_id']}", json={})
        assert answer.status_code == 409
        assert "FAILED" in error_of(answer)["message"]
        worker()
        job = next(one for one in api.get("/jobs?kind=deployment").json()["jobs"])
        assert (job["status"], job["error"]) == ("FAILED", listed(api)[0]["error"])
        api.delete(f"/models/{ready}/deployments/{made['deployment_id']}")
        turn_until(lambda: listed(api) == [])

    def test_an_artifact_that_cannot_be_loaded_fails_with_the_reason(
        self,
        api: TestClient,
        model_side: ModelSide,
        species: Built,
        turn_until: Turn,
        settings: Settings,
    ) -> None:
        put_to_work(model_side, "broken", species)
        for path in settings.objects_dir.rglob("artifacts/*/1/model.zip"):
            path.unlink()
            path.write_text("{}")
        deploy(api, "broken")
        turn_until(lambda: listed(api, "broken")[0]["status"] == "FAILED")
        error = listed(api, "broken")[0]["error"]
        assert "No replica could start" in error
        assert "model.zip is damaged" in error
        assert "retrain" in error

    def test_one_that_was_active_fails_once_nothing_can_be_loaded(
        self,
        api: TestClient,
        penguins: str,
        host: ReplicaHost,
        turn_until: Turn,
        settings: Settings,
    ) -> None:
        made = deploy(api, penguins, auto_scale=False)
        turn_until(lambda: listed(api, penguins)[0]["status"] == "ACTIVE")
        for path in settings.objects_dir.rglob("artifacts/*/1/model.zip"):
            path.unlink()
            path.write_text("{}")
        for replica in replicas(host):
            replica.kill()
        turn_until(lambda: listed(api, penguins)[0]["status"] == "FAILED")
        answer = api.post(f"/predict/{made['deployment_id']}", json=GENTOO)
        assert answer.status_code == 409
        assert "FAILED" in error_of(answer)["message"]
        assert "model.zip is damaged" in listed(api, penguins)[0]["error"]


class TestLife:
    def test_goes_from_deploying_to_active_to_gone_and_the_model_tells(
        self,
        api: TestClient,
        host: ReplicaHost,
        penguins: str,
        turn_until: Turn,
        worker: Worker,
    ) -> None:
        def told() -> tuple[Any, Any]:
            version = api.get(f"/models/{penguins}/v1.0/status").json()
            model = api.get(f"/models/{penguins}").json()
            return version["deployment_status"], model["deployment_status"]

        def at_work() -> tuple[Any, Any]:
            """Which versions the list names, and what the list of versions says of this one."""
            listed_ = api.get("/models").json()["models"][0]["deployed_versions"]
            versions = api.get(f"/models/{penguins}/versions").json()["versions"]
            return listed_, versions[0]["deployment_status"]

        assert (told(), at_work()) == ((None, None), ([], None))
        made = deploy(api, penguins, replicas=2, auto_scale=False)
        assert told() == ("DEPLOYING", "DEPLOYING")
        where = f"/predict/{made['deployment_id']}"
        answer = api.post(where, json=GENTOO)
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        turn_until(lambda: listed(api, penguins)[0]["status"] == "ACTIVE")
        assert told() == ("DEPLOYED", "DEPLOYED")
        assert at_work() == (["v1.0"], "DEPLOYED")
        assert len(replicas(host)) == 2
        assert api.post(where, json=GENTOO).status_code == 200
        worker()
        assert api.get("/jobs?kind=deployment").json()["jobs"][0]["status"] == "COMPLETED"
        api.delete(f"/models/{penguins}/deployments/{made['deployment_id']}")
        assert told() == ("UNDEPLOYED", "UNDEPLOYED")
        assert at_work() == ([], "UNDEPLOYED")
        turn_until(lambda: listed(api, penguins) == [])
        assert api.post(where, json=GENTOO).status_code == 404

    def test_deleting_the_model_takes_its_deployments_down(
        self, api: TestClient, host: ReplicaHost, penguins: str, turn_until: Turn
    ) -> None:
        made = deploy(api, penguins)
        turn_until(lambda: listed(api, penguins)[0]["status"] == "ACTIVE")
        assert api.delete(f"/models/{penguins}").status_code == 200
        turn_until(lambda: host.replica_sets == {})
        assert api.post(f"/predict/{made['deployment_id']}", json=GENTOO).status_code == 404

    def test_a_new_host_brings_deployments_back(
        self, api: TestClient, host: ReplicaHost, penguins: str, turn_until: Turn
    ) -> None:
        made = deploy(api, penguins)
        turn_until(lambda: listed(api, penguins)[0]["status"] == "ACTIVE")
        host.close()
        turn_until(lambda: answering(host) == 1)
        assert api.post(f"/predict/{made['deployment_id']}", json=GENTOO).is_success

    def test_what_the_load_asks_for_yields_to_a_new_deployment(
        self, api: TestClient, host: ReplicaHost, penguins: str, turn_until: Turn
    ) -> None:
        deploy(api, penguins, replicas=3)
        turn_until(lambda: len(replicas(host)) == 1)
        turn_until(lambda: answering(host) == 1)
        [scaler] = host._controller._scalers.values()
        scaler.wanted = 3
        turn_until(lambda: len(replicas(host)) == 3)
        deploy(api, penguins, replicas=1)
        turn_until(lambda: all(one["status"] == "ACTIVE" for one in listed(api, penguins)))
        assert len(host.replica_sets) == 2
        assert sum(len(replica_set.replicas) for replica_set in host.replica_sets.values()) <= 3
