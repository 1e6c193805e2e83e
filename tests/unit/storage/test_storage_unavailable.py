"""A server whose bucket does not answer: it says so, and loses nothing that it can do without."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from tests.conftest import empty_installation
from tests.ports import free_port

from modelwright.core.config.settings import Settings

FILE = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 8}


@pytest.fixture
def settings(tmp_path: Any, migrated: str) -> Settings:
    """The usual ones, with a bucket where nobody listens."""
    nowhere = {
        "s3_bucket": "tests",
        "s3_endpoint": f"http://127.0.0.1:{free_port()}",
        "s3_access_key": SecretStr("access"),
        "s3_secret_key": SecretStr("secret"),
    }
    return empty_installation(tmp_path / "data", migrated).model_copy(update=nowhere)


@pytest.fixture
def upload(api: TestClient) -> dict[str, Any]:
    answer = api.post("/data/upload", json={"files": [FILE]})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


class TestAway:
    def test_files_can_be_declared_but_not_confirmed(self, api: TestClient, upload: dict[str, Any]):
        (slot,) = upload["files"]
        listed = [{"filename": "a.csv", "object_key": slot["object_key"]}]
        body = {"upload_id": upload["upload_id"], "status": "complete", "files": listed}
        answer = api.post("/uploads/status", json=body)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert answer.json()["error"]["code"] == "service_unavailable"
        assert "127.0.0.1" not in answer.text
        shown = api.get(f"/uploads/{upload['upload_id']}").json()
        assert shown["status"] == "pending"

    def test_what_is_deleted_is_deleted(self, api: TestClient, upload: dict[str, Any]):
        path = f"/uploads/{upload['upload_id']}"
        assert api.delete(path).status_code == 200
        assert api.get(path).status_code == 404

    def test_health_says_that_the_storage_is_down(self, anonymous_client: TestClient):
        answer = anonymous_client.get("/data/health")
        assert answer.status_code == 500
        assert answer.json()["checks"]["storage"]["status"] == "down"
