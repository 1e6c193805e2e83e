"""One upload in detail."""

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

from modelwright.core.clock import FrozenClock, iso

Declare = Callable[..., dict[str, Any]]


class TestRead:
    def test_a_pending_upload_knows_what_was_declared(self, api: TestClient, clock: FrozenClock):
        file = {"filename": "a b%.csv", "content_type": "text/csv", "size_bytes": 7}
        made = api.post("/data/upload", json={"name": "n", "files": [file]}).json()
        upload = api.get(f"/uploads/{made['upload_id']}").json()
        account = api.get("/auth/user").json()["user_id"]
        assert upload == {
            "upload_id": made["upload_id"],
            "name": "n",
            "description": None,
            "status": "pending",
            "created_at": iso(clock.now()),
            "created_by": account,
            "completed_at": None,
            "expires_at": made["expires_at"],
            "error": None,
            "dataset_version": None,
            "files": [
                {
                    "filename": "a b%.csv",
                    "size_bytes": 7,
                    "rows": None,
                    "columns": None,
                    "content_type": "text/csv",
                    "created_at": iso(clock.now()),
                    "preview_url": None,
                    "object_key": made["files"][0]["object_key"],
                    "error": None,
                    "notices": [],
                    "options": None,
                    "read_as": None,
                    "column_info": None,
                }
            ],
            "models_using_this": [],
        }

    def test_the_real_size_replaces_the_declared_one(
        self,
        api: TestClient,
        place: Callable[..., None],
        confirm: Callable[..., Any],
    ):
        file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 1000}
        made = api.post("/data/upload", json={"files": [file]}).json()
        place(made)
        confirm(made)
        upload = api.get(f"/uploads/{made['upload_id']}").json()
        assert upload["files"][0]["size_bytes"] == 40

    def test_the_preview_address_is_absolute_and_works(
        self, api: TestClient, complete: Callable[..., dict[str, Any]]
    ):
        upload = complete({"sales 100%.csv": b"a,b\n1,2\n"})
        address = upload["files"][0]["preview_url"]
        assert address.startswith("http://testserver/data/uploads/")
        assert api.get(address).json()["data"] == [["1", "2"]]

    def test_an_unknown_upload_is_not_found(self, api: TestClient):
        for name in ("upload_unknown", "status", "..%00", "%F0%9F%98%80"):
            answer = api.get(f"/uploads/{name}")
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "not_found"
