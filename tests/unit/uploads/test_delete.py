"""Deleting uploads, and the claims that forbid it."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock, iso
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import NotFound
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import UploadDeleted
from modelwright.uploads.service import Uploads

Declare = Callable[..., dict[str, Any]]


@pytest.fixture
def claim(container: Container, api: TestClient) -> Callable[..., None]:
    """Claims an upload for a version of a model."""

    def make(upload: dict[str, Any], by: str, name: str, version: str = "v1.0") -> None:
        account = api.get("/auth/user").json()["user_id"]
        with container.database.transaction(account) as db:
            container.service(Uploads).claim(
                db, upload["upload_id"], by, name, model_id="model_1", version=version
            )

    return make


@pytest.fixture
def release(container: Container, api: TestClient) -> Callable[[str], None]:
    def carry_out(by: str) -> None:
        account = api.get("/auth/user").json()["user_id"]
        with container.database.transaction(account) as db:
            container.service(Uploads).release(db, by)

    return carry_out


class TestDelete:
    def test_it_is_gone_and_its_objects_stay_for_the_trash(
        self, api: TestClient, clock: FrozenClock, objects: ObjectStore, complete: Declare
    ):
        upload = complete()
        path = f"/uploads/{upload['upload_id']}"
        assert len([*objects.keys("uploads"), *objects.keys("tables")]) == 2
        answer = api.delete(path)
        assert answer.status_code == 200
        assert answer.json() == {
            "upload_id": upload["upload_id"],
            "status": "deleted",
            "deleted_at": iso(clock.now()),
        }
        assert len([*objects.keys("uploads"), *objects.keys("tables")]) == 2
        assert api.get(path).status_code == 404
        assert api.delete(path).status_code == 404
        assert api.get("/uploads").json()["uploads"] == []

    def test_what_is_not_complete_is_gone_at_once_with_its_objects(
        self, api: TestClient, objects: ObjectStore, declare: Declare, place: Callable[..., None]
    ):
        upload = declare()
        place(upload)
        assert api.delete(f"/uploads/{upload['upload_id']}").status_code == 200
        assert list(objects.keys("uploads")) == []
        assert api.get("/trash").json()["items"] == []

    def test_its_processing_is_cancelled(
        self,
        api: TestClient,
        declare: Declare,
        place: Callable[..., None],
        confirm: Callable[..., Any],
        work: Callable[[], int],
    ):
        upload = declare()
        place(upload)
        confirm(upload)
        assert api.delete(f"/uploads/{upload['upload_id']}").status_code == 200
        work()
        (job,) = api.get("/jobs").json()["jobs"]
        assert job["status"] == "CANCELLED"

    def test_it_is_announced(self, container: Container, api: TestClient, declare: Declare):
        heard: list[UploadDeleted] = []
        container.events.listen(UploadDeleted, lambda _db, event: heard.append(event))
        upload = declare()
        api.delete(f"/uploads/{upload['upload_id']}")
        assert heard == [UploadDeleted(upload["upload_id"])]

    def test_its_addresses_take_nothing_any_more(
        self, api: TestClient, anonymous_client: TestClient, objects: ObjectStore, declare: Declare
    ):
        upload = declare()
        api.delete(f"/uploads/{upload['upload_id']}")
        answer = anonymous_client.put(upload["files"][0]["presigned_url"], content=b"late")
        assert answer.status_code == 404
        assert f"{upload['upload_id']} was deleted" in answer.json()["error"]["message"]
        assert list(objects.keys("uploads")) == []

    def test_a_file_that_arrives_late_is_swept_away(
        self,
        api: TestClient,
        clock: FrozenClock,
        objects: ObjectStore,
        declare: Declare,
        sweep: Callable[[], None],
    ):
        upload = declare()
        api.delete(f"/uploads/{upload['upload_id']}")
        with objects.writer(upload["files"][0]["object_key"]) as late:
            late.commit()
        sweep()
        assert list(objects.keys("uploads")) == []
        clock.advance(days=2)
        sweep()
        sweep()


class TestClaim:
    def test_models_that_use_it_are_shown_and_forbid_its_deletion(
        self, api: TestClient, declare: Declare, claim: Callable[..., None]
    ):
        upload = declare()
        claim(upload, "ver_1", "churn")
        claim(upload, "ver_2", "churn", "v1.1")
        claim(upload, "ver_3", "prices")
        path = f"/uploads/{upload['upload_id']}"
        assert api.get(path).json()["models_using_this"] == [
            {"model_id": "model_1", "model_name": "churn", "version": "v1.0"},
            {"model_id": "model_1", "model_name": "churn", "version": "v1.1"},
            {"model_id": "model_1", "model_name": "prices", "version": "v1.0"},
        ]
        answer = api.delete(path)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (409, "resource_conflict")
        assert error["message"] == (
            "Models learnt from this upload (churn, prices); delete those first."
        )
        assert api.get(path).status_code == 200

    def test_it_can_be_deleted_when_all_are_released(
        self,
        api: TestClient,
        declare: Declare,
        claim: Callable[..., None],
        release: Callable[[str], None],
    ):
        upload, path = declare(), "/uploads/"
        claim(upload, "ver_1", "churn")
        claim(upload, "ver_2", "churn")
        release("ver_1")
        assert api.delete(path + upload["upload_id"]).status_code == 409
        release("ver_2")
        assert api.delete(path + upload["upload_id"]).status_code == 200

    def test_another_account_cannot_claim_or_release(
        self,
        container: Container,
        api: TestClient,
        other_account_client: TestClient,
        declare: Declare,
        claim: Callable[..., None],
    ):
        upload = declare()
        claim(upload, "ver_1", "churn")
        other = other_account_client.get("/auth/user").json()["user_id"]
        uploads = container.service(Uploads)
        with container.database.transaction(other) as db, pytest.raises(NotFound):
            uploads.claim(db, upload["upload_id"], "ver_9", "x", model_id="m", version="v1.0")
        with container.database.transaction(other) as db:
            uploads.release(db, "ver_1")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            assert len(uploads.users(db, upload["upload_id"])) == 1
