"""A disk that is nearly full: what needs room is refused, whole and clearly; the rest goes on."""

import shutil
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.core.process.disk_space import RESERVED_BYTES
from modelwright.storage.object_store import ObjectStore

FILE = {"filename": "a.csv", "content_type": "text/csv"}


class Usage(NamedTuple):
    free: int


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets how much the disk has left beyond what is kept free."""

    def set_to(spare: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(RESERVED_BYTES + spare))

    return set_to


def told(answer: Any) -> tuple[int, str, int]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["status"]


class TestUploads:
    def test_one_larger_than_what_is_left_is_503(self, api: TestClient, left: Any):
        left(1000)
        fits = api.post("/data/upload", json={"files": [{**FILE, "size_bytes": 1000}]})
        assert fits.status_code == 200
        answer = api.post("/data/upload", json={"files": [{**FILE, "size_bytes": 1001}]})
        assert told(answer) == (500, "service_unavailable", 503)  # the gateway collapses the line
        assert "disk" in answer.json()["error"]["message"]
        assert int(answer.headers["retry-after"]) > 0
        assert api.get("/uploads").json()["pagination"]["total"] == 1

    @pytest.mark.parametrize("is_declared", [True, False])
    def test_bytes_for_which_there_is_no_room_leave_nothing(
        self, api: TestClient, model_side: ModelSide, left: Any, is_declared: bool
    ):
        upload = api.post("/data/upload", json={"files": [FILE]}).json()
        left(100 if is_declared else -1)
        body = b"x" * 101
        content = body if is_declared else iter([body])
        answer = api.put(upload["files"][0]["presigned_url"], content=content)
        assert told(answer) == (503, "service_unavailable", 503)
        objects = model_side.container.service(ObjectStore)  # type: ignore[type-abstract]
        assert list(objects.keys("uploads")) == []
        left(1000)
        assert api.put(upload["files"][0]["presigned_url"], content=body).status_code == 200


class TestWork:
    def test_none_is_begun(self, api: TestClient, model_side: ModelSide, left: Any):
        upload_id = model_side.upload(CHURN)
        before = api.get("/jobs").json()["pagination"]["total"]
        left(-1)
        wish = {"intent": "Predict churn", "dataset_id": upload_id}
        assert told(api.post("/models/m", json=wish)) == (503, "service_unavailable", 503)
        for path in ("/data/analyze", "/data/export"):
            answer = api.post(path, json={"upload_id": upload_id})
            assert told(answer) == (503, "service_unavailable", 503), path
        assert api.get("/models/m").status_code == 404
        assert api.get("/jobs").json()["pagination"]["total"] == before

    def test_reading_asking_and_deleting_go_on(
        self, api: TestClient, model_side: ModelSide, left: Any
    ):
        upload_id = model_side.upload(CHURN)
        left(-1)
        assert api.get(f"/uploads/{upload_id}").status_code == 200
        assert api.post("/data/sessions", json={"upload_id": upload_id}).status_code == 200
        asked = {"query_type": "sql", "query": "select 1"}
        assert api.post("/data/query", json=asked).status_code == 200
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
