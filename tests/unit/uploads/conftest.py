"""Uploads end to end: real storage on disk, real jobs drained inline."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.processes.worker import Worker
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.service import Uploads

CSV = b"id,city,price\n1,Berlin,9.5\n2,Oslo,\n3,,7\n"


@pytest.fixture
def objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]


@pytest.fixture
def work(container: Container, clock: FrozenClock) -> Callable[[], int]:
    """Does all jobs there are."""
    return lambda: Worker(container.database, container.handlers, clock, container.settings).drain()


@pytest.fixture
def sweep(container: Container) -> Callable[[], None]:
    """Sweeps as the worker does."""

    def carry_out() -> None:
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Uploads).sweep(db)

    return carry_out


@pytest.fixture
def declare(api: TestClient) -> Callable[..., dict[str, Any]]:
    """Declares an upload of files by name."""

    def make(*names: str, client: TestClient = api, **members: Any) -> dict[str, Any]:
        files = [{"filename": name, "content_type": "text/csv"} for name in names or ("sales.csv",)]
        answer = client.post("/data/upload", json={"files": files, **members})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return make


@pytest.fixture
def place(anonymous_client: TestClient) -> Callable[..., None]:
    """Puts contents in place: one for all files, or one each."""

    def put(upload: dict[str, Any], *contents: bytes) -> None:
        given = contents or (CSV,)
        for number, file in enumerate(upload["files"]):
            content = given[number if len(given) > 1 else 0]
            assert anonymous_client.put(file["presigned_url"], content=content).status_code == 200

    return put


@pytest.fixture
def confirm(api: TestClient) -> Callable[..., Any]:
    """Confirms an upload; answers the response."""

    def send(
        upload: dict[str, Any],
        *,
        status: str = "complete",
        files: list[dict[str, str]] | None = None,
        client: TestClient = api,
    ) -> Any:
        listed = [
            {"filename": file["filename"], "object_key": file["object_key"]}
            for file in upload["files"]
        ]
        body = {
            "upload_id": upload["upload_id"],
            "status": status,
            "files": listed if files is None else files,
        }
        return client.post("/uploads/status", json=body)

    return send


@pytest.fixture
def complete(
    declare: Callable[..., dict[str, Any]],
    place: Callable[..., None],
    confirm: Callable[..., Any],
    work: Callable[[], int],
    api: TestClient,
) -> Callable[..., dict[str, Any]]:
    """Takes files all the way; answers the upload's detail."""

    def take(contents: dict[str, bytes] | None = None, **members: Any) -> dict[str, Any]:
        given = contents or {"sales.csv": CSV}
        upload = declare(*given, **members)
        place(upload, *given.values())
        assert confirm(upload).status_code == 200
        work()
        return dict(api.get(f"/uploads/{upload['upload_id']}").json())

    return take
