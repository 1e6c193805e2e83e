"""A bucket that takes its time: nobody else waits with whoever needs it, on SQLite neither."""

import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

import httpx
import httpx2
import pytest
from fastapi.testclient import TestClient
from tests.conftest import empty_installation
from tests.s3_server import settings_of

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import check_object_store
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.config.settings import Settings
from modelwright.core.db import database
from modelwright.storage.s3_bucket import S3Bucket
from modelwright.storage.s3_signing import Bucket

CSV = b"a,b\n1,2\n"
SOON = 60.0
BUSY_SECONDS = 10.0
"""What another writer waits here: far less than the bucket takes."""


@pytest.fixture
def settings(tmp_path: Any, migrated: str, bucket: Bucket) -> Settings:
    """The usual ones, with a bucket of its own."""
    usual = empty_installation(tmp_path / "data", migrated)
    told = settings_of(bucket)
    return Settings.model_validate(
        {**told, "data_dir": usual.data_dir, "database_url": usual.database_url}
    )


@pytest.fixture
def clock() -> FrozenClock:
    """The bucket goes by the machine's own clock."""
    return FrozenClock(SystemClock().now())


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SQLITE_BUSY_SECONDS", BUSY_SECONDS)


class Gate:
    """Stops whoever comes to it until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def before(self, do: Callable[..., Any]) -> Callable[..., Any]:
        def waits(*given: Any, **named: Any) -> Any:
            self.reached.set()
            assert self.opened.wait(SOON)
            return do(*given, **named)

        return waits


@pytest.fixture
def gate() -> Iterator[Gate]:
    made = Gate()
    yield made
    made.opened.set()


@pytest.fixture
def upload(api: TestClient) -> dict[str, Any]:
    """An upload whose file lies in the bucket."""
    file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": len(CSV)}
    made = dict(api.post("/data/upload", json={"files": [file]}).json())
    httpx.put(made["files"][0]["presigned_url"], content=CSV).raise_for_status()
    return made


def meanwhile(gate: Gate, ask: Callable[[], httpx2.Response], api: TestClient) -> httpx2.Response:
    """Sees another request write while one waits for the bucket; returns the latter's answer."""
    answers: list[httpx2.Response] = []
    asking = threading.Thread(target=lambda: answers.append(ask()))
    asking.start()
    try:
        assert gate.reached.wait(SOON)
        made = api.post("/auth/api-keys", json={"name": "n", "permission_level": "read_only"})
        assert made.status_code == 200, made.text
        assert answers == []
    finally:
        gate.opened.set()
        asking.join(SOON)
    return answers[0]


class TestMeanwhileOthersWrite:
    def test_while_it_copies_a_file_that_is_confirmed(
        self,
        api: TestClient,
        upload: dict[str, Any],
        gate: Gate,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(S3Bucket, "copy", gate.before(S3Bucket.copy))
        [slot] = upload["files"]
        listed = [{"filename": "a.csv", "object_key": slot["object_key"]}]
        body = {"upload_id": upload["upload_id"], "status": "complete", "files": listed}
        answer = meanwhile(gate, lambda: api.post("/uploads/status", json=body), api)
        assert (answer.status_code, answer.json()["status"]) == (200, "processing")
        [file] = api.get(f"/uploads/{upload['upload_id']}").json()["files"]
        assert file["size_bytes"] == len(CSV)

    def test_while_it_lists_what_is_awaited(
        self,
        api: TestClient,
        upload: dict[str, Any],
        gate: Gate,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(S3Bucket, "list", gate.before(S3Bucket.list))
        answer = meanwhile(gate, lambda: api.get("/data/upload"), api)
        [shown] = answer.json()["uploads"]
        assert (answer.status_code, shown["upload_id"]) == (200, upload["upload_id"])


class TestReplaced:
    def test_a_file_that_its_sender_replaced_is_no_damage(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        container: Container,
        worker: Callable[[], int],
    ):
        """Else any account could have health say that the storage is damaged."""
        check_object_store(container)
        file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": len(CSV)}
        made = api.post("/data/upload", json={"files": [file]}).json()
        [slot] = made["files"]
        where = f"/uploads/{made['upload_id']}/files/a.csv"
        [part] = api.post(f"{where}/parts", json={}).json()["parts"]
        httpx.put(part["presigned_url"], content=CSV).raise_for_status()
        told = {"sha256": sha256(CSV).hexdigest()}
        assert api.post(f"{where}/complete", json=told).status_code == 200
        httpx.put(slot["presigned_url"], content=b"c,d\n3,4\n").raise_for_status()
        listed = [{"filename": "a.csv", "object_key": slot["object_key"]}]
        body = {"upload_id": made["upload_id"], "status": "complete", "files": listed}
        assert api.post("/uploads/status", json=body).status_code == 200
        worker()
        [shown] = api.get(f"/uploads/{made['upload_id']}").json()["files"]
        preview = api.get(f"/data/uploads/{made['upload_id']}/files/a.csv/preview").json()
        assert (shown["rows"], preview["data"]) == (1, [["3", "4"]])
        assert anonymous_client.get("/data/health").json()["checks"]["integrity"]["status"] == "ok"
