"""Deleted models and uploads come back as they were, or go for good."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import Container
from modelwright.builds.domain import artifacts_of
from modelwright.core.clock import FrozenClock, iso
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.models.service import Models
from modelwright.storage.garbage_collector import GarbageCollector
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads import repository
from modelwright.uploads.service import Uploads


@pytest.fixture
def objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]


@pytest.fixture
def sweep(container: Container) -> Callable[[], None]:
    """Sweeps as the worker does."""

    def carry_out() -> None:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Uploads).sweep(db)
            container.service(Models).sweep(db, container.settings.trash_days)
            container.service(GarbageCollector).sweep(db)

    return carry_out


def items(api: TestClient) -> list[dict[str, Any]]:
    return list(api.get("/trash").json()["items"])


def stored(objects: ObjectStore) -> list[str]:
    return [*objects.keys("uploads"), *objects.keys("tables"), *objects.keys("artifacts")]


def with_artifact(model_side: ModelSide, objects: ObjectStore) -> str:
    """Makes a READY model whose artifact is stored; gives its id."""
    version = model_side.ready("churn", tags=["a"])
    with objects.writer(f"{artifacts_of(version.version_id)}/model.json") as writer:
        writer.commit()
    return version.model_id


class TestUploads:
    def test_a_deleted_upload_comes_back_as_it_was(
        self, api: TestClient, model_side: ModelSide, clock: FrozenClock
    ) -> None:
        upload_id = model_side.upload(CHURN, name="customers")
        before = api.get(f"/uploads/{upload_id}").json()
        versions = api.get("/uploads/datasets/customers/versions").json()
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        assert api.get(f"/uploads/{upload_id}").status_code == 404
        assert api.get("/uploads/datasets/customers/versions").status_code == 404
        [item] = items(api)
        moment = clock.now()
        assert item == {
            "item_id": upload_id,
            "kind": "upload",
            "name": "customers",
            "deleted_at": iso(moment),
            "purge_at": iso(clock.now().replace(day=moment.day + 7)),
            "size_bytes": before["files"][0]["size_bytes"],
        }
        answer = api.post(f"/trash/{upload_id}/restore", json={})
        assert answer.json() == {
            "item_id": upload_id,
            "kind": "upload",
            "name": "customers",
            "status": "restored",
        }
        assert api.get(f"/uploads/{upload_id}").json() == before
        assert api.get("/uploads/datasets/customers/versions").json() == versions
        preview = before["files"][0]["preview_url"].removeprefix("http://testserver")
        assert api.get(preview).json()["returned_rows"] > 0
        assert items(api) == []

    def test_it_goes_for_good_after_its_time_and_not_before(
        self,
        api: TestClient,
        model_side: ModelSide,
        objects: ObjectStore,
        clock: FrozenClock,
        sweep: Callable[[], None],
    ) -> None:
        upload_id = model_side.upload(CHURN)
        there = stored(objects)
        api.delete(f"/uploads/{upload_id}")
        clock.advance(days=6, hours=23)
        sweep()
        assert [item["item_id"] for item in items(api)] == [upload_id]
        assert stored(objects) == there
        clock.advance(hours=2)
        sweep()
        assert (items(api), stored(objects)) == ([], [])
        assert api.post(f"/trash/{upload_id}/restore", json={}).status_code == 404

    def test_it_counts_as_stored_until_it_is_purged(
        self, container: Container, api: TestClient, model_side: ModelSide
    ) -> None:
        upload_id = model_side.upload(CHURN)
        account = model_side.account_id

        def counted() -> int:
            with container.database.transaction(account, write=False) as db:
                return repository.bytes_of_all(db, 0)

        size = counted()
        api.delete(f"/uploads/{upload_id}")
        assert counted() == size > 0
        api.delete(f"/trash/{upload_id}")
        assert counted() == 0


class TestModels:
    def test_a_deleted_model_comes_back_as_it_was(
        self, api: TestClient, model_side: ModelSide, objects: ObjectStore
    ) -> None:
        model_id = with_artifact(model_side, objects)
        before, there = api.get("/models/churn").json(), stored(objects)
        versions = api.get("/models/churn/versions").json()
        api.delete("/models/churn")
        assert api.get("/models").json()["models"] == []
        assert api.get("/models/churn/versions").status_code == 404
        assert stored(objects) == there
        assert [(one["kind"], one["name"]) for one in items(api)] == [("model", "churn")]
        assert api.post(f"/trash/{model_id}/restore", json={}).status_code == 200
        assert api.get("/models/churn").json() == before
        assert api.get("/models/churn/versions").json() == versions
        used_by = api.get(f"/uploads/{before['dataset_id']}").json()["models_using_this"]
        assert [one["model_name"] for one in used_by] == ["churn"]
        assert api.delete(f"/uploads/{before['dataset_id']}").status_code == 409

    def test_its_name_is_free_and_it_comes_back_under_another(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        first = model_side.ready("churn")
        api.delete("/models/churn")
        second = model_side.ready("churn")
        api.delete("/models/churn")
        model_side.ready("churn")
        refused = api.post(f"/trash/{first.model_id}/restore", json={})
        assert refused.status_code == 409
        assert "another model_name" in refused.json()["error"]["message"]
        for version, name in ((first, "churn-1"), (second, "churn-2")):
            body = {"model_name": name}
            answer = api.post(f"/trash/{version.model_id}/restore", json=body)
            assert (answer.status_code, answer.json()["name"]) == (200, name)
        names = {model["model_name"] for model in api.get("/models").json()["models"]}
        assert names == {"churn", "churn-1", "churn-2"}
        bad = api.post(f"/trash/{first.model_id}/restore", json={"model_name": "build-logs"})
        assert bad.status_code == 404

    def test_a_bad_name_is_refused_and_leaves_it_there(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.ready("churn")
        api.delete("/models/churn")
        answer = api.post(f"/trash/{version.model_id}/restore", json={"model_name": "a b"})
        assert answer.status_code == 422
        assert len(items(api)) == 1

    def test_a_build_that_was_stopped_says_so(self, api: TestClient, model_side: ModelSide) -> None:
        version = model_side.draft("churn")
        model_side.start(version)
        api.delete("/models/churn")
        api.post(f"/trash/{version.model_id}/restore", json={})
        model = api.get("/models/churn").json()
        assert model["status"] == "ERROR"
        assert "retrain" in model["error"]

    def test_it_goes_for_good_after_its_time_with_its_artifacts(
        self,
        api: TestClient,
        model_side: ModelSide,
        objects: ObjectStore,
        clock: FrozenClock,
        sweep: Callable[[], None],
    ) -> None:
        with_artifact(model_side, objects)
        api.delete("/models/churn")
        clock.advance(days=6, hours=23)
        sweep()
        assert len(items(api)) == 1
        assert list(objects.keys("artifacts")) != []
        clock.advance(hours=2)
        sweep()
        assert items(api) == []
        assert list(objects.keys("artifacts")) == []

    def test_its_upload_may_be_deleted_meanwhile(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        version = model_side.ready("churn")
        upload_id = api.get("/models/churn").json()["dataset_id"]
        api.delete("/models/churn")
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        assert api.post(f"/trash/{version.model_id}/restore", json={}).status_code == 200
        assert api.get("/models/churn").json()["status"] == "READY"


class TestPurge:
    def test_one_goes_at_once(
        self, api: TestClient, model_side: ModelSide, objects: ObjectStore
    ) -> None:
        model_id = with_artifact(model_side, objects)
        upload_id = api.get("/models/churn").json()["dataset_id"]
        api.delete("/models/churn")
        api.delete(f"/uploads/{upload_id}")
        assert api.delete(f"/trash/{model_id}").json()["status"] == "purged"
        assert api.delete(f"/trash/{upload_id}").json()["status"] == "purged"
        assert (items(api), stored(objects)) == ([], [])
        assert api.delete(f"/trash/{upload_id}").status_code == 404

    def test_all_of_it_goes_at_once_and_what_is_not_deleted_stays(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("churn")
        model_side.ready("kept")
        api.delete("/models/churn")
        assert api.delete("/trash").json() == {"status": "purged", "items_purged": 1}
        assert api.delete("/trash").json()["items_purged"] == 0
        assert api.get("/models/kept").status_code == 200

    def test_nobody_else_sees_or_touches_it(
        self,
        api: TestClient,
        other_account_client: TestClient,
        read_only_client: TestClient,
        model_side: ModelSide,
    ) -> None:
        version = model_side.ready("churn")
        api.delete("/models/churn")
        place = f"/trash/{version.model_id}"
        assert items(other_account_client) == []
        assert other_account_client.delete(place).status_code == 404
        assert other_account_client.post(f"{place}/restore", json={}).status_code == 404
        assert other_account_client.delete("/trash").json()["items_purged"] == 0
        assert len(items(read_only_client)) == 1
        assert read_only_client.delete(place).status_code == 403
        assert len(items(api)) == 1
