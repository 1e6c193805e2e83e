"""Confirming that files are in place, and giving them up."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock, iso
from modelwright.core.limits.contract import Limits
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.service import Uploads

Declare = Callable[..., dict[str, Any]]
Place = Callable[..., None]
Confirm = Callable[..., Any]


def status_of(api: TestClient, upload: dict[str, Any]) -> str:
    return str(api.get(f"/uploads/{upload['upload_id']}").json()["status"])


def open_jobs(api: TestClient) -> int:
    jobs = api.get("/jobs", params={"status": "PENDING"}).json()["jobs"]
    return len(jobs)


class TestConfirm:
    def test_it_is_processing_with_an_estimate(
        self, clock: FrozenClock, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        answer = confirm(upload)
        assert answer.status_code == 200
        body = answer.json()
        assert (body["upload_id"], body["status"]) == (upload["upload_id"], "processing")
        assert body["message"]
        assert body["estimated_completion"] > iso(clock.now())

    def test_it_asks_for_one_job(
        self, api: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare("a.csv", "b.csv")
        place(upload)
        confirm(upload)
        (job,) = api.get("/jobs").json()["jobs"]
        assert (job["kind"], job["status"]) == ("processing", "PENDING")
        assert job["upload_id"] == upload["upload_id"]

    def test_the_order_of_the_files_does_not_matter(
        self, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare("a.csv", "b.csv")
        place(upload)
        upload["files"].reverse()
        assert confirm(upload).json()["status"] == "processing"

    def test_the_address_having_expired_does_not_matter(
        self, clock: FrozenClock, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        clock.advance(hours=5)
        assert confirm(upload).json()["status"] == "processing"

    def test_a_second_time_answers_the_present_status(
        self, api: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        first = confirm(upload).json()
        assert confirm(upload).json() == first
        assert confirm(upload, files=[]).json() == first
        assert open_jobs(api) == 1

    def test_two_at_once_ask_for_one_job(
        self, api: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: confirm(upload), range(4)))
        assert [answer.status_code for answer in answers] == [200] * 4
        assert {answer.json()["status"] for answer in answers} == {"processing"}
        assert open_jobs(api) == 1

    def test_the_files_take_no_more_bytes_afterwards(
        self, anonymous_client: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        confirm(upload)
        assert (
            anonymous_client.put(upload["files"][0]["presigned_url"], content=b"x").status_code
            == 409
        )

    def test_files_that_have_not_arrived_are_named_and_can_still_come(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        declare: Declare,
        place: Place,
        confirm: Confirm,
    ):
        upload = declare("a.csv", "b.csv", "c.csv")
        anonymous_client.put(upload["files"][1]["presigned_url"], content=b"x,y\n1,2\n")
        answer = confirm(upload)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (422, "validation_failed")
        assert "'a.csv'" in error["message"]
        assert "'c.csv'" in error["message"]
        assert "'b.csv'" not in error["message"]
        assert status_of(api, upload) == "pending"
        place(upload)
        assert confirm(upload).json()["status"] == "processing"

    def test_a_list_that_lacks_a_declared_file_is_refused(
        self, api: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare("a.csv", "b.csv")
        place(upload)
        upload["files"].pop()
        answer = confirm(upload)
        assert answer.status_code == 422
        assert "'b.csv' is missing" in answer.json()["error"]["message"]
        assert status_of(api, upload) == "pending"

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"filename": "other.csv"}, "files.0.filename"),
            ({"object_key": "uploads/upload_other/1"}, "files.0.object_key"),
            ({"object_key": ""}, "files.0.object_key"),
            ({"filename": 3}, "files.0.filename"),
            ({"filename": "a\0"}, "files.0.filename"),
        ],
    )
    def test_a_wrong_file_is_named(
        self,
        api: TestClient,
        declare: Declare,
        place: Place,
        confirm: Confirm,
        change: dict[str, Any],
        field: str,
    ):
        upload = declare()
        place(upload)
        file = upload["files"][0]
        listed = {"filename": file["filename"], "object_key": file["object_key"], **change}
        answer = confirm(upload, files=[listed])
        assert answer.status_code == 422
        assert field in [detail["field"] for detail in answer.json()["error"]["details"]]
        assert status_of(api, upload) == "pending"

    def test_a_lone_surrogate_is_refused(self, api: TestClient):
        body = rb"""{"upload_id": "\ud800", "status": "complete",
            "files": [{"filename": "\udfff", "object_key": ""}]}"""
        headers = {"Content-Type": "application/json"}
        answer = api.post("/uploads/status", content=body, headers=headers)
        assert answer.status_code == 422
        fields = [detail["field"] for detail in answer.json()["error"]["details"]]
        assert fields == ["upload_id", "files.0.filename"]

    def test_a_file_listed_twice_is_refused(self, declare: Declare, place: Place, confirm: Confirm):
        upload = declare()
        place(upload)
        upload["files"] *= 2
        answer = confirm(upload)
        assert answer.status_code == 422
        assert "twice" in answer.json()["error"]["message"]

    def test_files_that_are_too_large_together_are_refused(
        self, container: Container, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare("a.csv", "b.csv")
        place(upload)
        container.service(Uploads)._limits = Limits(upload_bytes=79)
        answer = confirm(upload)
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "payload_too_large"

    @pytest.mark.parametrize("member", ["upload_id", "status", "files"])
    def test_a_missing_member_is_named(self, api: TestClient, member: str):
        body = {"upload_id": "upload_x", "status": "complete", "files": []}
        del body[member]
        answer = api.post("/uploads/status", json=body)
        assert answer.status_code == 400
        assert member in answer.json()["error"]["message"]

    @pytest.mark.parametrize("status", ["done", "processing", "", 1])
    def test_another_status_is_refused(self, declare: Declare, confirm: Confirm, status: Any):
        answer = confirm(declare(), status=status)
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("status:")


class TestDeclaredSize:
    def test_a_file_larger_than_declared_is_refused_and_may_be_sent_again(
        self, api: TestClient, objects: ObjectStore, confirm: Confirm
    ):
        file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 8}
        upload = api.post("/data/upload", json={"files": [file]}).json()
        (slot,) = upload["files"]
        for body, status in ((b"a,b\n1,23\n", 422), (b"a,b\n1,2\n", 200)):
            with objects.writer(slot["object_key"]) as writer:  # as by a store that has no ceiling
                writer.write(body)
                writer.commit()
            answer = confirm(upload)
            assert answer.status_code == status, answer.text
            if status != 200:
                assert "'a.csv' has 9 bytes, but was declared to have 8" in answer.text
                assert status_of(api, upload) == "pending"


class TestGiveUp:
    def test_a_pending_upload_fails_and_stays_failed(
        self, api: TestClient, declare: Declare, place: Place, confirm: Confirm
    ):
        upload = declare()
        place(upload)
        answer = confirm(upload, status="failed", files=[])
        assert (answer.status_code, answer.json()["status"]) == (200, "failed")
        assert answer.json()["estimated_completion"] is None
        assert confirm(upload, status="failed").json() == answer.json()
        later = confirm(upload)
        assert (later.status_code, later.json()["error"]["code"]) == (409, "resource_conflict")
        assert api.get(f"/uploads/{upload['upload_id']}").json()["error"]

    def test_processing_is_cancelled(
        self,
        api: TestClient,
        declare: Declare,
        place: Place,
        confirm: Confirm,
        work: Callable[[], int],
    ):
        upload = declare()
        place(upload)
        confirm(upload)
        given_up = confirm(upload, status="failed").json()
        assert (given_up["status"], given_up["estimated_completion"]) == ("failed", None)
        work()
        assert status_of(api, upload) == "failed"
        assert api.get("/jobs").json()["jobs"][0]["status"] == "CANCELLED"

    def test_its_addresses_take_nothing_any_more(
        self, api: TestClient, anonymous_client: TestClient, declare: Declare, confirm: Confirm
    ):
        upload = declare()
        confirm(upload, status="failed")
        answer = anonymous_client.put(upload["files"][0]["presigned_url"], content=b"late")
        assert answer.status_code == 409
        assert "failed; make a new one" in answer.json()["error"]["message"]
        [file] = api.get(f"/uploads/{upload['upload_id']}").json()["files"]
        assert file["size_bytes"] is None

    def test_a_complete_upload_stays_complete(
        self, api: TestClient, complete: Declare, confirm: Confirm
    ):
        upload = complete()
        assert confirm(upload, status="failed").status_code == 409
        again = confirm(upload).json()
        assert (again["status"], again["estimated_completion"]) == (
            "complete",
            upload["completed_at"],
        )


class TestExpire:
    def test_an_upload_nobody_confirmed_fails_a_day_after_its_last_address(
        self, sweep: Callable[[], None], api: TestClient, clock: FrozenClock, declare: Declare
    ):
        upload = declare()
        clock.advance(hours=24)
        api.get("/data/upload")
        sweep()
        clock.advance(hours=24)
        sweep()
        assert status_of(api, upload) == "pending"
        clock.advance(hours=1)
        sweep()
        assert status_of(api, upload) == "failed"
        assert "24 hours" in api.get(f"/uploads/{upload['upload_id']}").json()["error"]

    def test_a_confirmed_upload_does_not(
        self,
        sweep: Callable[[], None],
        api: TestClient,
        clock: FrozenClock,
        declare: Declare,
        place: Place,
        confirm: Confirm,
    ):
        upload = declare()
        place(upload)
        confirm(upload)
        clock.advance(days=3)
        sweep()
        assert status_of(api, upload) == "processing"
