from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.factories import CHURN, OUTCOME, ModelSide

from modelwright.core.clock import FrozenClock
from modelwright.models.domain import Change, DeploymentStatus, ModelDeleted
from modelwright.uploads.service import Uploads

NOW = "2026-03-02T12:00:00Z"


class TestRead:
    def test_shows_a_draft_as_asked_for(self, api: TestClient, model_side: ModelSide) -> None:
        upload_id = model_side.upload(CHURN)
        version = model_side.draft("customer-churn", upload_id)
        assert api.get("/models/customer-churn").json() == {
            "model_name": "customer-churn",
            "model_version": "v1.0",
            "name": "Customer churn",
            "intent": "Predict churn",
            "description": "",
            "status": "DRAFT",
            "deployment_status": None,
            "deployed_versions": [],
            "endpoint": "http://testserver/models/customer-churn/v1.0/infer",
            "metrics": {},
            "dataset_id": upload_id,
            "input_schema": None,
            "output_schema": None,
            "tags": [],
            "created_by": model_side.account_id,
            "created_at": NOW,
            "updated_at": NOW,
            "error": None,
        }
        assert version.version == 1

    def test_shows_what_a_ready_version_learnt(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("churn", name="Churn!", description="Who leaves", tags=["a"])
        model = api.get("/models/churn").json()
        assert model["status"] == "READY"
        assert model["metrics"] == OUTCOME.metrics
        assert model["input_schema"] == {"plan": "string", "age": "integer"}
        assert model["output_schema"] == {"churn": "string"}
        assert (model["name"], model["description"]) == ("Churn!", "Who leaves")

    def test_shows_the_newest_ready_version_while_a_newer_one_is_built(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("churn")
        newer = model_side.next("churn")
        model_side.start(newer)
        assert api.get("/models/churn").json()["model_version"] == "v1.0"
        model_side.fail(newer, "No column fits.")
        model = api.get("/models/churn").json()
        assert (model["model_version"], model["status"], model["error"]) == ("v1.0", "READY", None)
        newest = model_side.next("churn", Change.MAJOR)
        model_side.start(newest)
        model_side.finish(newest)
        assert api.get("/models/churn").json()["model_version"] == "v2.0"

    def test_shows_the_newest_version_before_there_is_a_ready_one(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.fail(model_side.draft("churn"), "No column fits; name one of a, b.")
        model = api.get("/models/churn").json()
        assert (model["status"], model["error"]) == ("ERROR", "No column fits; name one of a, b.")
        model_side.next("churn")
        model = api.get("/models/churn").json()
        assert (model["model_version"], model["status"]) == ("v1.1", "DRAFT")

    @pytest.mark.parametrize("name", ["nothing", "-bad-", "x" * 101])
    def test_names_what_is_not_there(self, api: TestClient, name: str) -> None:
        answer = api.get(f"/models/{name}")
        assert answer.status_code == 404
        assert error_of(answer)["code"] == "not_found"
        assert "model_name" in error_of(answer)["message"]


class TestList:
    def test_is_newest_first(
        self, api: TestClient, model_side: ModelSide, clock: FrozenClock
    ) -> None:
        for name in ("a", "b", "c"):
            model_side.draft(name)
            clock.advance(seconds=1)
        page = api.get("/models", params={"limit": 2}).json()
        assert [model["model_name"] for model in page["models"]] == ["c", "b"]
        assert page["pagination"] == {"total": 3, "limit": 2, "offset": 0, "has_more": True}
        rest = api.get("/models", params={"limit": 2, "offset": 2}).json()
        assert [model["model_name"] for model in rest["models"]] == ["a"]
        assert rest["pagination"]["has_more"] is False

    def test_holds_exactly_the_contract_s_fields(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.draft("a")
        assert set(api.get("/models").json()["models"][0]) == {
            "model_name", "model_version", "name", "intent", "status", "deployment_status",
            "deployed_versions", "created_at", "updated_at",
        }  # fmt: skip

    def test_filters_by_the_status_a_model_shows(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("ready")
        model_side.next("ready")
        model_side.draft("draft")
        model_side.start(model_side.draft("building"))
        model_side.fail(model_side.draft("error"), "why")
        for status in ("DRAFT", "BUILDING", "READY", "ERROR"):
            page = api.get("/models", params={"status": status}).json()
            assert [model["model_name"] for model in page["models"]] == [status.lower()]
            assert page["pagination"]["total"] == 1

    @pytest.mark.parametrize(
        ("query", "order"),
        [
            ({"sort_by": "name"}, ["c", "B", "a"]),
            ({"sort_by": "name", "sort_dir": "asc"}, ["a", "B", "c"]),
            ({"sort_by": "created_at", "sort_dir": "asc"}, ["B", "a", "c"]),
        ],
    )
    def test_sorts(
        self,
        api: TestClient,
        model_side: ModelSide,
        clock: FrozenClock,
        query: dict[str, str],
        order: list[str],
    ) -> None:
        for name in ("B", "a", "c"):
            model_side.draft(f"m-{name}", name=name)
            clock.advance(seconds=1)
        assert [m["name"] for m in api.get("/models", params=query).json()["models"]] == order

    @pytest.mark.parametrize(
        "query",
        [
            "limit=101",
            "limit=0",
            "offset=-1",
            "status=DELETED",
            "sort_by=x",
            "sort_dir=up",
            "limit=a",
        ],
    )
    def test_refuses_what_it_does_not_know(self, api: TestClient, query: str) -> None:
        answer = api.get(f"/models?{query}")
        assert answer.status_code == 422
        assert error_of(answer)["code"] == "validation_error"
        assert query.partition("=")[0] in error_of(answer)["message"]


class TestAmend:
    def test_changes_what_is_given_and_nothing_else(
        self, api: TestClient, model_side: ModelSide, clock: FrozenClock
    ) -> None:
        model_side.draft("churn", description="Old", tags=["x"])
        clock.advance(minutes=1)
        answer = api.patch("/models/churn", json={"name": "New", "tags": ["a", "b"], "zzz": 1})
        assert answer.json() == {
            "model_name": "churn",
            "model_version": "v1.0",
            "name": "New",
            "description": "Old",
            "tags": ["a", "b"],
            "updated_at": "2026-03-02T12:01:00Z",
        }
        assert api.patch("/models/churn", json={"description": ""}).json()["description"] == ""
        assert api.patch("/models/churn", json={"tags": []}).json()["tags"] == []
        assert api.get("/models/churn").json()["name"] == "New"

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": 1}, "name"),
            ({"name": ""}, "name"),
            ({"name": " "}, "name"),
            ({"description": ["a"]}, "description"),
            ({"tags": "a"}, "tags"),
            ({"tags": [1]}, "tags"),
            ({"name": "a\u0000b"}, "name"),
        ],
    )
    def test_refuses_wrong_types(
        self, api: TestClient, model_side: ModelSide, body: dict[str, Any], field: str
    ) -> None:
        model_side.draft("churn")
        answer = api.patch("/models/churn", json=body)
        assert answer.status_code == 422
        assert field in error_of(answer)["message"]


class TestDelete:
    def test_takes_the_versions_along_and_frees_name_and_dataset(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        upload_id = model_side.upload(CHURN)
        version = model_side.draft("churn", upload_id)
        model_side.next("churn")
        uploads = model_side.container.service(Uploads)
        with model_side.transaction() as db:
            assert {user.version for user in uploads.users(db, upload_id)} == {"v1.0", "v1.1"}
        answer = api.delete("/models/churn")
        assert answer.json() == {
            "model_name": "churn",
            "model_version": "v1.1",
            "status": "DELETED",
            "deleted_at": NOW,
        }
        assert api.get("/models/churn").status_code == 404
        assert api.delete("/models/churn").status_code == 404
        with model_side.transaction() as db:
            assert uploads.users(db, upload_id) == []
        assert model_side.draft("churn", upload_id).version_id != version.version_id

    def test_announces_it_in_the_same_transaction(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        heard: list[ModelDeleted] = []

        def listen(_db: object, event: ModelDeleted) -> None:
            heard.append(event)
            if len(heard) == 1:
                raise RuntimeError("undo")

        version = model_side.draft("churn")
        model_side.container.events.listen(ModelDeleted, listen)
        assert api.delete("/models/churn").status_code == 500
        assert api.get("/models/churn").status_code == 200
        assert api.delete("/models/churn").status_code == 200
        assert heard[1] == ModelDeleted(version.model_id, "churn", (version.version_id,))


class TestVersions:
    def test_are_newest_first_with_what_became_of_them(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        first = model_side.ready("churn")
        second = model_side.next("churn")
        model_side.fail(second, "why")
        listed = api.get("/models/churn/versions").json()
        assert (listed["model_name"], listed["model_version"]) == ("churn", "v1.0")
        assert listed["pagination"] == {"total": 2, "limit": 100, "offset": 0, "has_more": False}
        assert listed["versions"] == [
            {
                "version_id": second.version_id,
                "version": 2,
                "model_version": "v1.1",
                "status": "ERROR",
                "deployment_status": None,
                "metrics": {},
                "error": "why",
                "created_at": NOW,
            },
            {
                "version_id": first.version_id,
                "version": 1,
                "model_version": "v1.0",
                "status": "READY",
                "deployment_status": None,
                "metrics": OUTCOME.metrics,
                "error": None,
                "created_at": NOW,
            },
        ]
        page = api.get("/models/churn/versions?limit=1&offset=1").json()
        assert [version["version"] for version in page["versions"]] == [1]


class TestStatus:
    def test_tells_how_far_a_version_is(
        self, api: TestClient, model_side: ModelSide, clock: FrozenClock
    ) -> None:
        version = model_side.draft("churn")
        state = api.get("/models/churn/v1.0/status").json()
        assert state == {
            "model_name": "churn",
            "model_version": "v1.0",
            "status": "DRAFT",
            "deployment_status": None,
            "last_updated": NOW,
            "build_progress": 0,
            "error": None,
        }
        clock.advance(seconds=5)
        model_side.start(version)
        state = api.get("/models/churn/v1.0/status").json()
        assert (state["status"], state["last_updated"]) == ("BUILDING", "2026-03-02T12:00:05Z")
        model_side.finish(version)
        state = api.get("/models/churn/v1.0/status").json()
        assert (state["status"], state["build_progress"]) == ("READY", 100)

    def test_tells_the_version_s_own_deployments(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        first = model_side.ready("churn")
        model_side.next("churn")
        with model_side.transaction() as db:
            model_side.models.set_deployment_status(db, first.version_id, DeploymentStatus.DEPLOYED)
        assert api.get("/models/churn/v1.0/status").json()["deployment_status"] == "DEPLOYED"
        assert api.get("/models/churn/v1.1/status").json()["deployment_status"] is None
        assert api.get("/models/churn").json()["deployment_status"] == "DEPLOYED"
        assert api.get("/models").json()["models"][0]["deployment_status"] == "DEPLOYED"

    @pytest.mark.parametrize("label", ["v1.1", "v1", "1", "latest", "V1.0", "v1.0 ", "status"])
    @pytest.mark.parametrize("view", ["status", "describe"])
    def test_names_a_label_that_is_no_version(
        self, api: TestClient, model_side: ModelSide, label: str, view: str
    ) -> None:
        model_side.ready("churn")
        answer = api.get(f"/models/churn/{label}/{view}")
        assert answer.status_code == 404
        assert "model_version" in error_of(answer)["message"]
        assert label in error_of(answer)["message"]


class TestDescribe:
    def test_tells_what_a_version_takes_gives_and_is_worth(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("churn", description="Who leaves")
        assert api.get("/models/churn/v1.0/describe").json() == {
            "model_name": "churn",
            "model_version": "v1.0",
            "description": "Who leaves",
            "input_schema": OUTCOME.input_schema,
            "output_schema": OUTCOME.output_schema,
            "performance_metrics": OUTCOME.metrics,
            "training_info": {
                "dataset_size": 80,
                "training_time_minutes": 0.1,
                "algorithm": "LightGBM",
                "feature_importance": {"plan": 0.7, "age": 0.3},
            },
            "plan": {"target": "churn", "task": "binary"},
            "warnings": [],
            "inputs": {},
            "error": None,
        }

    def test_of_a_draft_has_nothing_learnt_yet(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.draft("churn")
        described = api.get("/models/churn/v1.0/describe").json()
        assert described["performance_metrics"] == {}
        assert described["training_info"]["dataset_size"] is None
        assert described["plan"] is None


class TestFail:
    def test_leaves_a_ready_version_alone(self, api: TestClient, model_side: ModelSide) -> None:
        version = model_side.ready("churn")
        model_side.fail(version, "too late")
        assert api.get("/models/churn").json()["status"] == "READY"

    def test_of_a_version_that_is_gone_is_nothing(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.draft("churn")
        api.delete("/models/churn")
        model_side.fail(version, "gone")
        assert model_side.finish(version) is False
        model_side.start(version)
