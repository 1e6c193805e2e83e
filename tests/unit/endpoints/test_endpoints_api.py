"""Which version is in service, moved at once and back; answers at the address that stays."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete
from tests.api_helpers import error_of
from tests.built_models import GENTOO, Built, put_to_work
from tests.factories import ModelSide
from tests.unit.endpoints.conftest import another_version

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, delete_owned
from modelwright.core.http.context import Level
from modelwright.endpoints.orm import EndpointChangeRecord, EndpointRecord
from modelwright.endpoints.service import Endpoints
from modelwright.models.domain import ServedVersion
from modelwright.models.service import Models
from modelwright.predictions import routes
from modelwright.server.app import create_app
from modelwright.users.service import Users

WHERE = "/models/penguins/endpoints/production"


def in_service(api: TestClient, where: str = WHERE) -> str:
    return str(api.get(where).json()["model_version"])


def answering(api: TestClient, query: str = "") -> str:
    """The version that an answer says it comes from."""
    answer = api.post(f"/models/penguins/infer{query}", json=GENTOO)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["model_version"])


def promote(api: TestClient, version: str, where: str = WHERE) -> dict[str, Any]:
    answer = api.patch(where, json={"model_version": version})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def meanwhile(
    container: Container, patch: pytest.MonkeyPatch, happens: Callable[[], object]
) -> None:
    """Has something happen once a version was loaded, and before it is put in service."""
    endpoints = container.service(Endpoints)
    load = endpoints.load

    def loading(version: ServedVersion) -> None:
        load(version)
        happens()

    patch.setattr(endpoints, "load", loading)


def step_at_each_look(clock: FrozenClock, patch: pytest.MonkeyPatch) -> None:
    """Moves the clock on by a second whenever it is looked at, in whatever thread."""
    seconds = count(1)
    began = clock.now()
    patch.setattr(clock, "now", lambda: began + timedelta(seconds=next(seconds)))


class TestFirst:
    """An endpoint comes with the first READY version, and elsewhere with the first deployment."""

    def test_a_first_ready_version_is_in_service_in_production(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.draft("churn")
        model_side.start(version)
        answer = api.get("/models/churn/endpoints/production")
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        assert "no READY version" in error_of(answer)["message"]
        assert api.get("/models/churn/endpoints").json()["endpoints"] == []
        model_side.finish(version)
        assert api.get("/models/churn/endpoints/production").json() == {
            "model_name": "churn",
            "environment": "production",
            "model_version": "v1.0",
            "former_version": None,
            "endpoint": "http://testserver/models/churn/infer",
            "deployment_id": None,
            "since": "2026-03-02T12:00:00Z",
            "changed_by": None,
            "key_name": None,
        }

    def test_what_an_older_release_made_is_in_service_soon_after(
        self, api: TestClient, container: Container, model_side: ModelSide
    ) -> None:
        """During a rolling upgrade its workers finish builds and know no endpoints."""
        for name in ("churn", "kept"):
            model_side.ready(name)
        deployed = api.post("/models/churn/deploy", json={"environment": "staging"})
        assert deployed.status_code == 200, deployed.text
        kept = api.get("/models/kept/endpoints").json()
        with container.database.transaction(ALL_ACCOUNTS) as db:
            churn = EndpointRecord.model_id == container.service(Models).id_of(db, "churn")
            db.execute(delete(EndpointRecord).where(churn))
        assert api.get("/models/churn/endpoints").json()["endpoints"] == []
        [enter] = [one for one in container.duties if one.name == "endpoints.enter"]
        for _ in range(2):
            with container.database.transaction(ALL_ACCOUNTS) as db:
                enter.carry_out(db)
        found = api.get("/models/churn/endpoints").json()["endpoints"]
        assert [(one["environment"], one["model_version"]) for one in found] == [
            ("production", "v1.0"),
            ("staging", "v1.0"),
        ]
        assert api.get("/models/kept/endpoints").json() == kept

    def test_a_failed_first_build_puts_nothing_in_service(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.draft("churn")
        model_side.start(version)
        model_side.fail(version, "It broke.")
        answer = api.post("/models/churn/infer", json={})
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")

    def test_a_retrain_leaves_the_former_version_in_service(
        self, api: TestClient, penguins: str
    ) -> None:
        assert api.get(f"/models/{penguins}").json()["model_version"] == "v1.1"
        assert (in_service(api), answering(api)) == ("v1.0", "v1.0")

    def test_a_first_deployment_elsewhere_is_in_service_there(
        self, api: TestClient, penguins: str
    ) -> None:
        where = f"/models/{penguins}/endpoints/staging"
        assert api.get(where).status_code == 404
        assert "deploy" in error_of(api.get(where))["message"]
        body = {"environment": "staging", "model_version": "v1.1"}
        assert api.post(f"/models/{penguins}/deploy", json=body).status_code == 200
        told = api.get(where).json()
        assert told["model_version"] == "v1.1"
        assert (told["changed_by"], told["key_name"]) == ("ana@example.org", "test")
        assert told["endpoint"] == "http://testserver/models/penguins/infer?environment=staging"
        api.post(f"/models/{penguins}/deploy", json={"environment": "staging"} | {"replicas": 2})
        listed = api.get(f"/models/{penguins}/endpoints").json()
        assert [one["environment"] for one in listed["endpoints"]] == ["production", "staging"]
        assert listed["model_name"] == "penguins"
        assert answering(api, "?environment=staging") == "v1.1"

    def test_a_further_deployment_moves_nothing(self, api: TestClient, penguins: str) -> None:
        api.post(f"/models/{penguins}/deploy", json={"model_version": "v1.1"})
        assert in_service(api) == "v1.0"


class TestPromote:
    def test_is_told_to_the_next_request_and_back(self, api: TestClient, penguins: str) -> None:
        for _ in range(2):  # from the second on the fast path answers
            assert answering(api) == "v1.0"
        for _ in range(10):
            assert promote(api, "v1.1")["former_version"] == "v1.0"
            assert [answering(api) for _ in range(3)] == ["v1.1"] * 3
            back = api.post(f"{WHERE}/rollback")
            assert (back.status_code, back.json()["model_version"]) == (200, "v1.0")
            assert [answering(api) for _ in range(3)] == ["v1.0"] * 3

    def test_another_process_answers_with_it_at_once(
        self, api: TestClient, penguins: str, settings: Settings, clock: FrozenClock
    ) -> None:
        other = build_container(settings, clock=clock)
        headers = {"x-api-key": api.headers["x-api-key"]}
        with TestClient(create_app(other), headers=headers) as elsewhere:
            for _ in range(3):
                assert answering(elsewhere) == "v1.0"
            promote(api, "v1.1")
            assert answering(elsewhere) == "v1.1"
            elsewhere.post(f"{WHERE}/rollback")
            assert answering(api) == "v1.0"

    def test_to_the_version_in_service_changes_nothing(
        self, api: TestClient, penguins: str
    ) -> None:
        promote(api, "v1.1")
        before = api.get(f"{WHERE}/history").json()
        assert promote(api, "v1.1")["former_version"] == "v1.0"
        assert api.get(f"{WHERE}/history").json() == before

    def test_refuses_what_cannot_answer(
        self, api: TestClient, model_side: ModelSide, penguins: str
    ) -> None:
        building = model_side.next(penguins)
        model_side.start(building)
        for version, status in (("v9.9", 404), ("", 404), (building.model_version, 409)):
            answer = api.patch(WHERE, json={"model_version": version})
            assert answer.status_code == status, answer.text
            assert "model_version" in error_of(answer)["details"][0]["field"]
        for body, status in (({}, 400), ({"model_version": 1}, 422), ([], 422)):
            assert api.patch(WHERE, json=body).status_code == status
        assert in_service(api) == "v1.0"

    def test_refuses_a_version_whose_artifact_is_gone_or_damaged(
        self, api: TestClient, model_side: ModelSide, penguins: str, settings: Settings
    ) -> None:
        gone = model_side.next(penguins)
        model_side.start(gone)
        model_side.finish(gone)
        answer = api.patch(WHERE, json={"model_version": gone.model_version})
        assert answer.status_code == 404
        assert "no longer stored" in error_of(answer)["message"]
        for path in settings.objects_dir.rglob("artifacts/*/1/model.zip"):
            path.unlink()
            path.write_text("{}")
        answer = api.patch(WHERE, json={"model_version": "v1.1"})
        assert answer.status_code == 503
        assert "damaged" in error_of(answer)["message"]
        assert in_service(api) == "v1.0"

    def test_refuses_a_version_of_the_name_that_was_not_loaded(
        self,
        api: TestClient,
        container: Container,
        model_side: ModelSide,
        penguins: str,
        species: Built,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def make_anew() -> None:
            assert api.delete(f"/models/{penguins}").status_code == 200
            put_to_work(model_side, penguins, species)
            another_version(model_side, penguins, species)

        with monkeypatch.context() as patch:
            meanwhile(container, patch, make_anew)
            answer = api.patch(WHERE, json={"model_version": "v1.1"})
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        assert error_of(answer)["details"][0]["field"] == "environment"
        assert "is v1.0 now: look whether" in error_of(answer)["message"]
        assert in_service(api) == "v1.0"
        assert promote(api, "v1.1")["model_version"] == "v1.1"

    @pytest.mark.parametrize("environment", ["moon", "Production", "PRODUCTION", "%20"])
    def test_an_unknown_environment_is_404_in_the_path_and_422_in_the_query(
        self, api: TestClient, penguins: str, environment: str
    ) -> None:
        where = f"/models/{penguins}/endpoints/{environment}"
        for answer in (
            api.get(where),
            api.patch(where, json={"model_version": "v1.1"}),
            api.post(f"{where}/rollback"),
            api.get(f"{where}/history"),
        ):
            assert answer.status_code == 404
            assert "production, staging, development" in error_of(answer)["message"]
        for verb, body in (("infer", GENTOO), ("predictions", [GENTOO])):
            answer = api.post(f"/models/{penguins}/{verb}?environment={environment}", json=body)
            assert (answer.status_code, error_of(answer)["code"]) == (422, "validation_error")
            assert error_of(answer)["details"][0]["field"] == "environment"


class TestRollback:
    def test_leads_back_one_promotion_after_the_other(
        self, api: TestClient, model_side: ModelSide, penguins: str, species: Built
    ) -> None:
        another_version(model_side, penguins, species)
        for version in ("v1.1", "v1.2"):
            promote(api, version)
        for version in ("v1.1", "v1.0"):
            assert api.post(f"{WHERE}/rollback").json()["model_version"] == version
            assert answering(api) == version
        answer = api.post(f"{WHERE}/rollback")
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        assert "nothing to roll back to" in error_of(answer)["message"]
        assert answering(api) == "v1.0"

    def test_of_two_at_once_goes_back_one_step(
        self,
        api: TestClient,
        container: Container,
        model_side: ModelSide,
        penguins: str,
        species: Built,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        another_version(model_side, penguins, species)
        for version in ("v1.1", "v1.2"):
            promote(api, version)
        both = Barrier(2)
        meanwhile(container, monkeypatch, lambda: both.wait(60))
        with ThreadPoolExecutor(2) as pool:
            told = list(pool.map(lambda _: api.post(f"{WHERE}/rollback"), range(2)))
        assert sorted(one.status_code for one in told) == [200, 409]
        assert {error_of(one)["code"] for one in told if one.status_code == 409} == {"conflict"}
        assert in_service(api) == "v1.1"

    def test_puts_nothing_in_service_that_was_not_loaded(
        self,
        api: TestClient,
        container: Container,
        model_side: ModelSide,
        penguins: str,
        species: Built,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        another_version(model_side, penguins, species)
        promote(api, "v1.1")
        with monkeypatch.context() as patch:
            promotions = iter(["v1.2"])
            meanwhile(container, patch, lambda: [promote(api, one) for one in promotions])
            answer = api.post(f"{WHERE}/rollback")
        assert (answer.status_code, error_of(answer)["code"]) == (409, "conflict")
        assert "v1.2 now" in error_of(answer)["message"]
        assert in_service(api) == "v1.2"
        assert api.post(f"{WHERE}/rollback").json()["model_version"] == "v1.1"

    def test_is_done_once_under_one_idempotency_key(self, api: TestClient, penguins: str) -> None:
        promote(api, "v1.1")
        headers = {"Idempotency-Key": "once"}
        told = [api.post(f"{WHERE}/rollback", headers=headers).json() for _ in range(2)]
        assert told[0] == told[1]
        assert api.get(f"{WHERE}/history").json()["pagination"]["total"] == 3


class TestHistory:
    def test_tells_what_was_in_service_when_and_who_changed_it(
        self, api: TestClient, clock: FrozenClock, penguins: str
    ) -> None:
        clock.advance(hours=1)
        promote(api, "v1.1")
        clock.advance(hours=1)
        api.post(f"{WHERE}/rollback")
        told = api.get(f"{WHERE}/history").json()
        assert told["changes"] == [
            {
                "model_version": "v1.0",
                "since": "2026-03-02T14:00:00Z",
                "until": None,
                "changed_by": "ana@example.org",
                "key_name": "test",
            },
            {
                "model_version": "v1.1",
                "since": "2026-03-02T13:00:00Z",
                "until": "2026-03-02T14:00:00Z",
                "changed_by": "ana@example.org",
                "key_name": "test",
            },
            {
                "model_version": "v1.0",
                "since": "2026-03-02T12:00:00Z",
                "until": "2026-03-02T13:00:00Z",
                "changed_by": None,
                "key_name": None,
            },
        ]
        assert told["pagination"]["total"] == 3
        page = api.get(f"{WHERE}/history?limit=1&offset=1").json()
        assert [one["model_version"] for one in page["changes"]] == ["v1.1"]

    def test_names_the_key_of_an_admin_who_acts_in_the_account(
        self,
        api: TestClient,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        penguins: str,
    ) -> None:
        admin = as_key(make_key("root@example.org", level=Level.ADMIN))
        account = {"X-Account": api.get("/auth/user").json()["user_id"]}
        answer = admin.patch(WHERE, json={"model_version": "v1.1"}, headers=account)
        told = (answer.json()["changed_by"], answer.json()["key_name"])
        assert told == ("root@example.org", "test"), answer.text
        assert api.get(WHERE).json()["key_name"] == "test"

    def test_has_no_gap_where_several_change_it_at_once(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        api: TestClient,
        penguins: str,
        clock: FrozenClock,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        clients = [as_key(make_key()) for _ in range(4)]
        start = Barrier(len(clients))
        step_at_each_look(clock, monkeypatch)

        def change(client: TestClient) -> list[int]:
            start.wait(60)
            versions = ("v1.1", "v1.0") * 3
            told = [client.patch(WHERE, json={"model_version": one}) for one in versions]
            return [one.status_code for one in [*told, client.post(f"{WHERE}/rollback")]]

        with ThreadPoolExecutor(len(clients)) as pool:
            statuses = {one for each in pool.map(change, clients) for one in each}
        assert statuses <= {200, 409}
        changes = api.get(f"{WHERE}/history").json()["changes"]
        assert changes[0]["model_version"] == in_service(api) == answering(api)
        assert [one["until"] for one in changes[1:]] == [one["since"] for one in changes[:-1]]
        assert changes[0]["until"] is None
        assert len({one["since"] for one in changes}) == len(changes)

    def test_changes_are_in_the_audit_log(
        self,
        api: TestClient,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        penguins: str,
    ) -> None:
        promote(api, "v1.1")
        api.post(f"{WHERE}/rollback")
        admin = as_key(make_key(level=Level.ADMIN))
        for operation in ("endpoints.promote", "endpoints.rollback"):
            [entry] = admin.get(f"/audit?operation={operation}").json()["entries"]
            assert (entry["actor"], entry["resource"]) == ("ana@example.org", "penguins")


class TestWhoMay:
    def test_readers_ask_and_look_but_change_nothing(
        self, read_only_client: TestClient, penguins: str
    ) -> None:
        assert answering(read_only_client) == "v1.0"
        assert in_service(read_only_client) == "v1.0"
        assert read_only_client.get(f"{WHERE}/history").status_code == 200
        changes = [
            read_only_client.patch(WHERE, json={"model_version": "v1.1"}),
            read_only_client.post(f"{WHERE}/rollback"),
        ]
        assert [one.status_code for one in changes] == [403, 403]
        assert answering(read_only_client) == "v1.0"

    def test_another_account_sees_nothing(
        self, api: TestClient, other_account_client: TestClient, penguins: str
    ) -> None:
        promote(api, "v1.1")
        for answer in (
            other_account_client.get(f"/models/{penguins}/endpoints"),
            other_account_client.get(WHERE),
            other_account_client.get(f"{WHERE}/history"),
            other_account_client.patch(WHERE, json={"model_version": "v1.0"}),
            other_account_client.post(f"{WHERE}/rollback"),
            other_account_client.post(f"/models/{penguins}/infer", json=GENTOO),
            other_account_client.post(f"/models/{penguins}/predictions", json=[GENTOO]),
        ):
            assert answer.status_code == 404
        assert in_service(api) == "v1.1"

    @pytest.mark.parametrize("verb", ["infer", "predictions"])
    def test_nobody_is_told_of_anything_without_a_key(
        self, anonymous_client: TestClient, penguins: str, verb: str
    ) -> None:
        answer = anonymous_client.post(f"/models/{penguins}/{verb}?environment=moon", json={})
        assert answer.status_code == 401


class TestModels:
    def test_a_deleted_model_answers_no_more_and_comes_back_as_it_was(
        self, api: TestClient, penguins: str
    ) -> None:
        promote(api, "v1.1")
        assert answering(api) == "v1.1"
        api.delete(f"/models/{penguins}")
        assert api.post(f"/models/{penguins}/infer", json=GENTOO).status_code == 404
        assert api.get(WHERE).status_code == 404
        [item] = api.get("/trash").json()["items"]
        restored = api.post(f"/trash/{item['item_id']}/restore", json={"model_name": "birds"})
        assert restored.status_code == 200
        assert api.get("/models/birds/endpoints/production").json()["model_version"] == "v1.1"
        answer = api.post("/models/birds/infer", json=GENTOO).json()
        assert (answer["model_name"], answer["model_version"]) == ("birds", "v1.1")
        back = api.post("/models/birds/endpoints/production/rollback").json()
        assert back["model_version"] == "v1.0"

    def test_a_purged_model_leaves_nothing(
        self, api: TestClient, container: Container, penguins: str
    ) -> None:
        promote(api, "v1.1")
        api.delete(f"/models/{penguins}")
        [item] = api.get("/trash").json()["items"]
        assert api.delete(f"/trash/{item['item_id']}").status_code == 200
        with container.database.transaction(ALL_ACCOUNTS) as db:
            assert db.query(EndpointRecord).count() == db.query(EndpointChangeRecord).count() == 0

    def test_a_new_model_of_the_name_begins_anew(
        self, api: TestClient, model_side: ModelSide, penguins: str, species: Built
    ) -> None:
        promote(api, "v1.1")
        api.delete(f"/models/{penguins}")
        put_to_work(model_side, penguins, species)
        assert answering(api) == "v1.0"
        assert api.get(f"{WHERE}/history").json()["pagination"]["total"] == 1

    @pytest.mark.parametrize("name", ["infer", "predictions", "endpoints", "production", "v1.0"])
    def test_a_model_may_have_the_name_of_a_path(
        self, api: TestClient, model_side: ModelSide, species: Built, name: str
    ) -> None:
        put_to_work(model_side, name, species)
        for path, body in (
            (f"/models/{name}/infer", GENTOO),
            (f"/models/{name}/v1.0/infer", GENTOO),
        ):
            answer = api.post(path, json=body)
            assert (answer.status_code, answer.json()["model_name"]) == (200, name)
        [item] = api.post(f"/models/{name}/predictions", json=[GENTOO]).json()
        assert item["model_version"] == "v1.0"
        told = api.get(f"/models/{name}/endpoints/production").json()
        assert told["model_name"] == name
        assert api.get(f"/models/{name}").json()["model_name"] == name

    def test_renaming_for_people_moves_nothing(self, api: TestClient, penguins: str) -> None:
        api.patch(f"/models/{penguins}", json={"name": "Birds"})
        assert answering(api) == "v1.0"


class TestAnswers:
    """Bodies, options and refusals are those of a version."""

    @pytest.mark.parametrize("query", ["", "?include=probabilities,warnings", "?include=moon"])
    @pytest.mark.parametrize(
        "body",
        [GENTOO, GENTOO | {"island": "Atlantis"}, {"island": "Biscoe"}, [GENTOO], None, 3],
        ids=["whole", "unseen", "missing", "array", "null", "number"],
    )
    def test_one_row(self, api: TestClient, penguins: str, query: str, body: Any) -> None:
        for _ in range(2):
            told = api.post(f"/models/{penguins}/infer{query}", json=body)
            wanted = api.post(f"/models/{penguins}/v1.0/infer{query}", json=body)
            assert bare(told) == bare(wanted)

    @pytest.mark.parametrize("query", ["", "?errors=rows", "?include=interval", "?errors=moon"])
    @pytest.mark.parametrize(
        "body",
        [[GENTOO] * 3, [], [GENTOO, {"island": 3}], GENTOO, None],
        ids=["whole", "none", "one bad", "object", "null"],
    )
    def test_many_rows_also_tell_the_version(
        self, api: TestClient, penguins: str, query: str, body: Any
    ) -> None:
        for _ in range(2):
            told = bare(api.post(f"/models/{penguins}/predictions{query}", json=body))
            wanted = bare(api.post(f"/models/{penguins}/v1.0/predictions{query}", json=body))
            if isinstance(wanted[1], list):
                wanted = wanted[0], [item | {"model_version": "v1.0"} for item in wanted[1]]
            assert told == wanted

    def test_what_is_no_json_is_400(self, api: TestClient, penguins: str) -> None:
        headers = {"content-type": "application/json"}
        for verb in ("infer", "predictions", "infer"):
            answer = api.post(f"/models/{penguins}/{verb}", content=b"{", headers=headers)
            assert answer.status_code == 400

    def test_are_counted_and_kept_for_the_version(self, api: TestClient, penguins: str) -> None:
        promote(api, "v1.1")
        request_id = api.post(f"/models/{penguins}/infer", json=GENTOO).json()["request_id"]
        truth = {"request_id": request_id, "actual": "Gentoo"}
        taken = api.post(f"/models/{penguins}/v1.1/feedback", json=truth)
        assert (taken.status_code, taken.json()["accepted"]) == (200, 1), taken.text

    def test_a_plain_request_stays_on_the_fast_path(
        self, api: TestClient, container: Container, penguins: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if container.database.stamp() is None:
            pytest.skip("only the embedded database says when something was committed")
        routed: list[str] = []
        here = routes._answer_here

        async def noting(request: Any, *given: Any, **more: Any) -> Any:
            routed.append(request.url.path)
            return await here(request, *given, **more)

        monkeypatch.setattr(routes, "_answer_here", noting)
        api.post(f"/models/{penguins}/deploy", json={"environment": "staging"})
        for query, version in (("", "v1.0"), ("?environment=staging", "v1.1")):
            answering(api, query)
            assert len(routed) == 1
            assert [answering(api, query) for _ in range(3)] == [version] * 3
            many = api.post(f"/models/{penguins}/predictions{query}", json=[GENTOO]).json()
            assert [item["model_version"] for item in many] == [version]
            assert len(routed) == 1
            promote(api, "v1.1", f"/models/{penguins}/endpoints/production")
            routed.clear()
            assert answering(api) == "v1.1"
            assert routed == []


class TestAccounts:
    def test_a_deleted_account_leaves_nothing(
        self, api: TestClient, container: Container, clock: FrozenClock, penguins: str
    ) -> None:
        promote(api, "v1.1")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            delete_owned(db, container.service(Users).find(db, "ana@example.org").user_id)
            assert db.query(EndpointRecord).count() == db.query(EndpointChangeRecord).count() == 0


def bare(answer: Any) -> tuple[int, Any]:
    """What must be alike: everything but ids of requests."""
    body = answer.json()
    if isinstance(body, list):
        return answer.status_code, [
            {name: value for name, value in item.items() if name != "request_id"} for item in body
        ]
    body.pop("request_id", None)
    if "error" in body:
        body["error"].pop("request_id")
    return answer.status_code, body
