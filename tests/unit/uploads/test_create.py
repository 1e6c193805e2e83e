"""Declaring an upload."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of

from modelwright.core.clock import FrozenClock, iso
from modelwright.core.config.settings import Settings
from modelwright.core.limits.contract import GB

FILE = {"filename": "sales.csv", "content_type": "text/csv"}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Has room for the largest upload, whatever the disk of the machine."""
    return settings.model_copy(update={"account_storage_gb": 100})


def refusal(api: TestClient, body: Any) -> tuple[int, str, str]:
    """Posts a body; the status line is the gateway's, the body the backend's own."""
    answer = api.post("/data/upload", json=body)
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    return error["status"], error["code"], error["message"]


class TestCreate:
    def test_it_is_pending_with_an_address_for_each_file(self, api: TestClient, clock: FrozenClock):
        body = {
            "name": "sales",
            "description": "of 2024\nall shops",
            "files": [FILE, {**FILE, "filename": "shops.csv", "size_bytes": 12}],
        }
        answer = api.post("/data/upload", json=body)
        assert answer.status_code == 200
        upload = answer.json()
        assert upload["upload_id"].startswith("upload_")
        assert (upload["name"], upload["description"]) == ("sales", "of 2024\nall shops")
        assert upload["status"] == "pending"
        assert upload["created_at"] == iso(clock.now())
        assert upload["expires_at"] == iso(clock.now() + timedelta(hours=1))
        assert [file["filename"] for file in upload["files"]] == ["sales.csv", "shops.csv"]
        for file in upload["files"]:
            assert set(file) == {"filename", "presigned_url", "object_key", "content_type"}
            assert f"/storage/{file['object_key']}?" in file["presigned_url"]
            assert file["presigned_url"].startswith("http://testserver/")

    def test_without_a_name_it_is_called_after_its_first_file(
        self, declare: Callable[..., dict[str, Any]]
    ):
        assert declare("b.csv", "a.csv")["name"] == "b.csv"

    def test_the_address_takes_no_more_than_the_declared_size(
        self, api: TestClient, anonymous_client: TestClient
    ):
        body = {"files": [{**FILE, "size_bytes": 3}]}
        address = api.post("/data/upload", json=body).json()["files"][0]["presigned_url"]
        assert anonymous_client.put(address, content=b"1234").status_code == 413
        assert anonymous_client.put(address, content=b"123").status_code == 200

    def test_the_address_takes_five_gigabytes_at_the_most(
        self, anonymous_client: TestClient, declare: Callable[..., dict[str, Any]]
    ):
        address = declare()["files"][0]["presigned_url"]
        assert f"max_bytes={5 * GB}&" in address
        answer = anonymous_client.put(
            address, content=b"", headers={"Content-Length": str(5 * GB + 1)}
        )
        assert answer.status_code == 413

    def test_the_address_expires_after_an_hour(
        self,
        anonymous_client: TestClient,
        clock: FrozenClock,
        declare: Callable[..., dict[str, Any]],
    ):
        address = declare()["files"][0]["presigned_url"]
        clock.advance(hours=1)
        assert anonymous_client.put(address, content=b"1").status_code == 403

    def test_a_repetition_is_answered_alike_with_fresh_addresses(
        self, api: TestClient, anonymous_client: TestClient, clock: FrozenClock
    ):
        headers, body = {"Idempotency-Key": "once"}, {"name": "n", "files": [FILE]}
        first = api.post("/data/upload", json=body, headers=headers).json()
        clock.advance(hours=2)
        again = api.post("/data/upload", json=body, headers=headers).json()
        assert api.get("/uploads").json()["pagination"]["total"] == 1
        (address,) = [file.pop("presigned_url") for file in again["files"]]
        assert anonymous_client.put(address, content=b"1").status_code == 200
        assert again.pop("expires_at") == iso(clock.now() + timedelta(hours=1))
        del first["expires_at"], first["files"][0]["presigned_url"]
        assert again == first

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({}, "files"),
            ({"files": [{"content_type": "text/csv"}]}, "files.0.filename"),
            ({"files": [{"filename": "a"}]}, "files.0.content_type"),
        ],
    )
    def test_a_missing_member_is_named(self, api: TestClient, body: Any, field: str):
        status, code, message = refusal(api, body)
        assert (status, code) == (400, "invalid_request")
        assert field in message

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"files": []}, "files"),
            ({"files": {}}, "files"),
            ({"files": ["a.csv"]}, "files.0"),
            ({"files": [{**FILE, "filename": 1}]}, "files.0.filename"),
            ({"files": [{**FILE, "filename": "../a"}]}, "files.0.filename"),
            ({"files": [{**FILE, "filename": "a" * 256}]}, "files.0.filename"),
            ({"files": [FILE, FILE]}, "files"),
            ({"files": [{**FILE, "content_type": None}]}, "files.0.content_type"),
            ({"files": [{**FILE, "content_type": "csv"}]}, "files.0.content_type"),
            ({"files": [{**FILE, "size_bytes": -1}]}, "files.0.size_bytes"),
            ({"files": [{**FILE, "size_bytes": "12"}]}, "files.0.size_bytes"),
            ({"files": [{**FILE, "size_bytes": 1.5}]}, "files.0.size_bytes"),
            ({"files": [{**FILE, "size_bytes": True}]}, "files.0.size_bytes"),
            ({"files": [FILE], "name": ""}, "name"),
            ({"files": [FILE], "name": 7}, "name"),
            ({"files": [FILE], "name": "a" * 256}, "name"),
            ({"files": [FILE], "name": "a\0"}, "name"),
            ({"files": [FILE], "description": ["x"]}, "description"),
            ({"files": [FILE], "description": "a\0b"}, "description"),
            ({"files": [FILE], "description": "a" * 10_001}, "description"),
        ],
    )
    def test_a_wrong_member_is_named(self, api: TestClient, body: Any, field: str):
        status, code, message = refusal(api, body)
        assert (status, code) == (422, "validation_failed")
        assert message.startswith(f"{field}:")

    def test_of_very_many_wrong_files_the_first_is_named(self, api: TestClient):
        answer = api.post("/data/upload", json={"files": [{}] * 20_000})
        assert len(error_of(answer)["details"]) <= 2

    @pytest.mark.parametrize(
        ("files", "named"),
        [
            ([{**FILE, "filename": f"{n}.csv"} for n in range(51)], "files"),
            ([{**FILE, "size_bytes": 5 * GB + 1}], "sales.csv"),
            ([{**FILE, "size_bytes": 10**30}], "sales.csv"),
            ([{**FILE, "filename": f"{n}.csv", "size_bytes": 5 * GB} for n in range(5)], "20 GB"),
        ],
    )
    def test_more_than_the_limits_is_too_large(self, api: TestClient, files: Any, named: str):
        status, code, message = refusal(api, {"files": files})
        assert (status, code) == (413, "payload_too_large")
        assert named in message

    def test_exactly_the_limits_are_fine(self, api: TestClient, monkeypatch: pytest.MonkeyPatch):
        much = SimpleNamespace(free=1000 * GB)  # whatever the machine of the test has
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: much)
        files = [
            {**FILE, "filename": f"{n}.csv", "size_bytes": 5 * GB if n < 4 else 0}
            for n in range(50)
        ]
        assert api.post("/data/upload", json={"files": files}).status_code == 200

    def test_unknown_members_are_ignored(self, api: TestClient):
        body = {"files": [{**FILE, "colour": "red"}], "more": 1}
        assert api.post("/data/upload", json=body).status_code == 200


class TestRoomOfAnAccount:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"account_storage_gb": 1})

    def test_declared_sizes_count_until_the_upload_is_deleted(
        self, api: TestClient, other_account_client: TestClient
    ):
        body = {"files": [{**FILE, "size_bytes": GB * 6 // 10}]}
        first = api.post("/data/upload", json=body)
        assert first.status_code == 200
        status, code, message = refusal(api, body)
        assert (status, code) == (413, "payload_too_large")
        assert "1.2 GB" in message
        assert "1 GB is the most" in message
        assert other_account_client.post("/data/upload", json=body).status_code == 200
        assert api.delete(f"/uploads/{first.json()['upload_id']}").status_code == 200
        assert api.post("/data/upload", json=body).status_code == 200

    def test_a_file_without_a_size_takes_a_tenth_and_counts_a_hundredth_until_it_came(
        self,
        api: TestClient,
        declare: Callable[..., dict[str, Any]],
        place: Callable[..., None],
        confirm: Callable[..., Any],
    ):
        upload = declare()
        assert f"max_bytes={GB // 10}" in upload["files"][0]["presigned_url"]
        most = {"files": [{**FILE, "size_bytes": GB * 995 // 1000}]}
        assert refusal(api, most)[0] == 413
        place(upload)
        assert confirm(upload).status_code == 200
        assert api.post("/data/upload", json=most).status_code == 200

    def test_fifty_files_without_sizes_find_room(self, api: TestClient):
        files = [{**FILE, "filename": f"{number}.csv"} for number in range(50)]
        assert api.post("/data/upload", json={"files": files}).status_code == 200

    def test_what_came_larger_than_there_is_room_is_refused_as_it_is_confirmed(
        self,
        api: TestClient,
        declare: Callable[..., dict[str, Any]],
        place: Callable[..., None],
        confirm: Callable[..., Any],
    ):
        upload = declare()
        body = {"files": [{**FILE, "size_bytes": GB * 985 // 1000}]}
        other = api.post("/data/upload", json=body).json()["upload_id"]
        place(upload, b"a\n" + b"1\n" * 10_000_000)
        refused = confirm(upload)
        assert refused.json()["error"]["status"] == 413
        assert "1 GB is the most" in refused.json()["error"]["message"]
        assert api.get(f"/uploads/{upload['upload_id']}").json()["status"] == "pending"
        api.delete(f"/uploads/{other}")
        assert confirm(upload).status_code == 200
