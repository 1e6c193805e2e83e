"""Health says which part is down, and whether the service can do without it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx import ASGITransport, AsyncClient
from starlette.types import ASGIApp

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.server import health
from modelwright.server.app import create_app

HEALTH = "/data/health"
PARTS = {
    "database",
    "storage",
    "cleanup",
    "integrity",
    "jobs",
    "counters",
    "deployments",
    "machines",
}


@contextmanager
def serving(settings: Settings, clock: FrozenClock) -> Iterator[TestClient]:
    container = build_container(settings, clock=clock, counters=MemoryRateLimitStore(clock))
    with (
        closing(container.database),
        TestClient(create_app(container), raise_server_exceptions=False) as anonymous_client,
    ):
        yield anonymous_client


class TestHealth:
    def test_all_is_well(self, anonymous_client: TestClient):
        answer = anonymous_client.get(HEALTH)
        assert (answer.status_code, answer.json()["status"]) == (200, "ok")
        checks = answer.json()["checks"]
        assert set(checks) == PARTS
        assert {check["status"] for check in checks.values()} == {"ok"}

    async def ask_at_once(self, app: ASGIApp, number: int, begun: Callable[[], None]) -> set[int]:
        async with AsyncClient(transport=ASGITransport(app), base_url="http://here") as client:
            asked = [asyncio.ensure_future(client.get(HEALTH)) for _ in range(number)]
            for _ in range(100):
                await asyncio.sleep(0)
            begun()
            return {answer.status_code for answer in await asyncio.gather(*asked)}

    def test_many_who_ask_at_once_cost_one_look(
        self, anonymous_client: TestClient, monkeypatch: pytest.MonkeyPatch
    ):
        looks, all_asked, examine = [], threading.Event(), health.examine

        def slowly(container: Container) -> Any:
            looks.append(container)
            all_asked.wait()
            return examine(container)

        monkeypatch.setattr(health, "examine", slowly)
        assert asyncio.run(self.ask_at_once(anonymous_client.app, 5, all_asked.set)) == {200}
        assert len(looks) == 1

    def test_storage_is_needed(self, settings: Settings, clock: FrozenClock):
        with serving(settings, clock) as anonymous_client:
            settings.objects_dir.rename(settings.objects_dir.with_name("away"))
            settings.objects_dir.write_text("not a folder")
            answer = anonymous_client.get(HEALTH)
            assert (answer.status_code, down(answer.json())) == (500, {"storage"})

    def test_the_database_is_needed(self, settings: Settings, clock: FrozenClock):
        nobody = "postgresql+psycopg://ana:s3cret@127.0.0.1:9/x"
        away = settings.model_copy(update={"database_url": nobody})
        with serving(away, clock) as anonymous_client:
            answer = anonymous_client.get(HEALTH)
            assert answer.status_code == 500
            assert "database" in down(answer.json())
            assert not {"storage", "counters"} & down(answer.json())
        assert "s3cret" not in answer.text

    def test_work_that_nobody_does_degrades_it(
        self, api: TestClient, clock: FrozenClock, make_upload: Callable[[], None]
    ):
        make_upload()
        clock.advance(seconds=61)
        answer = api.get(HEALTH)
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert down(answer.json()) == {"jobs"}

    @pytest.fixture
    def make_upload(self, api: TestClient) -> Callable[[], None]:
        """Leaves an upload that waits to be processed."""

        def make() -> None:
            files = [{"filename": "a.csv", "content_type": "text/csv"}]
            made = api.post("/data/upload", json={"files": files}).json()
            [file] = made["files"]
            assert api.put(file["presigned_url"], content=b"a\n1\n").status_code == 200
            listed = [{name: file[name] for name in ("filename", "object_key")}]
            told = {"upload_id": made["upload_id"], "status": "complete", "files": listed}
            assert api.post("/uploads/status", json=told).status_code == 200

        return make


def down(report: dict[str, dict[str, dict[str, str]]]) -> set[str]:
    return {name for name, check in report["checks"].items() if check["status"] == "down"}
