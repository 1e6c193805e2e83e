"""Listing uploads, and going on with them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.core.clock import FrozenClock, iso

Declare = Callable[..., dict[str, Any]]
MEMBERS = {
    "upload_id",
    "name",
    "description",
    "status",
    "created_at",
    "created_by",
    "completed_at",
    "expires_at",
    "error",
    "dataset_version",
    "files",
}
FILE_MEMBERS = {
    "filename",
    "size_bytes",
    "rows",
    "columns",
    "content_type",
    "created_at",
    "preview_url",
    "object_key",
    "error",
    "notices",
    "options",
    "read_as",
}


@pytest.mark.parametrize("path", ["/uploads", "/data/upload"])
class TestList:
    def test_newest_first_with_pagination(
        self, api: TestClient, clock: FrozenClock, declare: Declare, path: str
    ):
        for name in ("one", "two", "three"):
            declare(name=name)
            clock.advance(seconds=1)
        body = api.get(path, params={"limit": 2}).json()
        assert [upload["name"] for upload in body["uploads"]] == ["three", "two"]
        assert body["pagination"] == {"total": 3, "limit": 2, "offset": 0, "has_more": True}
        body = api.get(path, params={"limit": 2, "offset": 2}).json()
        assert [upload["name"] for upload in body["uploads"]] == ["one"]
        assert body["pagination"]["has_more"] is False

    def test_each_has_the_members_of_the_contract(
        self, api: TestClient, declare: Declare, path: str
    ):
        declare(description="d")
        (upload,) = api.get(path).json()["uploads"]
        assert set(upload) == MEMBERS
        assert set(upload["files"][0]) - {"presigned_url"} == FILE_MEMBERS

    def test_oldest_first_on_demand(
        self, api: TestClient, clock: FrozenClock, declare: Declare, path: str
    ):
        for name in ("one", "two"):
            declare(name=name)
            clock.advance(seconds=1)
        uploads = api.get(path, params={"order": "asc"}).json()["uploads"]
        assert [upload["name"] for upload in uploads] == ["one", "two"]

    def test_filtered_and_sorted_by_status(
        self, api: TestClient, declare: Declare, confirm: Callable[..., Any], path: str
    ):
        confirm(declare(name="gone"), status="failed")
        declare(name="waiting")
        failed = api.get(path, params={"status": "failed"}).json()
        assert [upload["name"] for upload in failed["uploads"]] == ["gone"]
        assert failed["pagination"]["total"] == 1
        rising = api.get(path, params={"sort": "status", "order": "asc"}).json()["uploads"]
        assert [upload["status"] for upload in rising] == ["failed", "pending"]
        assert api.get(path, params={"status": "complete"}).json()["uploads"] == []

    def test_found_by_a_part_of_their_names(self, api: TestClient, declare: Declare, path: str):
        for name in ("Sales 2025", "sales_2026", "100 % of sales", "stock"):
            declare(name=name)
        for part, names in {
            "SALES": {"Sales 2025", "sales_2026", "100 % of sales"},
            "s_2": {"sales_2026"},
            "%": {"100 % of sales"},
            "": {"Sales 2025", "sales_2026", "100 % of sales", "stock"},
            "none": set(),
        }.items():
            found = api.get(path, params={"name": part}).json()
            assert {upload["name"] for upload in found["uploads"]} == names
            assert found["pagination"]["total"] == len(names)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("name", "n" * 256),
            ("limit", "0"),
            ("limit", "101"),
            ("limit", "ten"),
            ("offset", "-1"),
            ("offset", "1e99"),
            ("status", "done"),
            ("sort", "name"),
            ("order", "up"),
        ],
    )
    def test_a_wrong_parameter_is_named(self, api: TestClient, path: str, name: str, value: str):
        answer = api.get(path, params={name: value})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith(f"{name}:")

    def test_head_answers_as_get(self, api: TestClient, declare: Declare, path: str):
        declare()
        answer = api.head(path)
        assert (answer.status_code, answer.content) == (200, b"")


class TestResume:
    def test_only_files_that_have_not_arrived_get_a_fresh_address(
        self, api: TestClient, anonymous_client: TestClient, clock: FrozenClock, declare: Declare
    ):
        upload = declare("a.csv", "b.csv")
        anonymous_client.put(upload["files"][0]["presigned_url"], content=b"x\n1\n")
        clock.advance(hours=2)
        (resumed,) = api.get("/data/upload").json()["uploads"]
        assert resumed["expires_at"] == iso(clock.now() + timedelta(hours=1))
        arrived, awaited = resumed["files"]
        assert arrived["presigned_url"] is None
        assert anonymous_client.put(awaited["presigned_url"], content=b"x\n1\n").status_code == 200
        (resumed,) = api.get("/data/upload").json()["uploads"]
        assert [file["presigned_url"] for file in resumed["files"]] == [None, None]

    def test_it_can_be_narrowed_to_one(self, api: TestClient, declare: Declare):
        upload = declare(name="one")
        declare(name="two")
        body = api.get("/data/upload", params={"upload_id": upload["upload_id"]}).json()
        assert [found["name"] for found in body["uploads"]] == ["one"]
        assert body["pagination"]["total"] == 1

    def test_an_unstorable_one_is_refused(self, api: TestClient):
        answer = api.get("/data/upload?upload_id=a%00")
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("upload_id:")

    def test_a_reader_sees_no_address_and_moves_nothing(
        self, read_only_client: TestClient, clock: FrozenClock, declare: Declare
    ):
        upload = declare()
        clock.advance(hours=2)
        (seen,) = read_only_client.get("/data/upload").json()["uploads"]
        assert seen["files"][0]["presigned_url"] is None
        assert seen["expires_at"] == upload["expires_at"]

    def test_a_failed_upload_gets_none(
        self, api: TestClient, declare: Declare, confirm: Callable[..., Any]
    ):
        confirm(declare(), status="failed")
        (upload,) = api.get("/data/upload").json()["uploads"]
        assert upload["files"][0]["presigned_url"] is None
