"""A database that is full or away is 503 and nothing is changed; it goes on when it is back."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import structlog
from fastapi.testclient import TestClient
from sqlalchemy import event

from modelwright.bootstrap.container import Container, build_container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import Database
from modelwright.core.db.errors import DatabaseUnavailable
from modelwright.core.http.context import Tier
from modelwright.core.limits.store import FileRateLimitStore, MemoryRateLimitStore
from modelwright.core.logging import set_up
from modelwright.server.app import create_app

NOBODY = "postgresql+psycopg://ana:s3cret@127.0.0.1:9/x"


@pytest.fixture
def full(container: Container) -> Iterator[Callable[[bool], None]]:
    """Lets the database's file grow no more, or again."""
    engine = container.database.engine
    if container.database.stamp() is None:
        pytest.skip("the file of the embedded database")
    is_full = False

    def bound(connection: Any, _entry: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {1 if is_full else 2**32 - 2}")

    def set_to(now: bool) -> None:
        nonlocal is_full
        is_full = now
        engine.dispose()

    event.listen(engine, "connect", bound)
    yield set_to
    event.remove(engine, "connect", bound)


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


class TestFull:
    def test_what_writes_is_503_and_reading_goes_on(
        self, api: TestClient, full: Callable[[bool], None]
    ):
        full(True)
        files = [{"filename": f"{n}" * 100, "content_type": "text/csv"} for n in range(10, 60)]
        answer = api.post("/data/upload", json={"files": files})
        assert answer.json()["error"]["status"] == 503
        assert answer.json()["error"]["code"] == "service_unavailable"
        assert int(answer.headers["retry-after"]) > 0
        assert api.get("/uploads").json()["pagination"]["total"] == 0
        full(False)
        assert api.post("/data/upload", json={"files": files}).status_code == 200

    def test_so_is_a_request_that_cannot_be_counted(
        self, tmp_path: Path, clock: FrozenClock, settings: Settings, make_key: Callable[..., str]
    ):
        key = make_key(tier=Tier.BASIC)
        folder = tmp_path / "counters"
        container = build_container(
            settings, clock=clock, counters=FileRateLimitStore(folder / "file", clock)
        )
        with (
            closing(container.database),
            TestClient(create_app(container), headers={"x-api-key": key}) as anonymous_client,
        ):
            assert told(anonymous_client.get("/models")) == (503, "service_unavailable")
            entered = {"email": "ana@example.org", "password": "correct horse"}
            answer = anonymous_client.post(
                "/console/session", json=entered, headers={"x-api-key": ""}
            )
            assert told(answer) == (503, "service_unavailable")
            folder.mkdir()
            assert anonymous_client.get("/models").status_code == 200


class TestAway:
    @pytest.mark.parametrize("path", ["/models", "/uploads"])
    def test_every_request_is_503(
        self, settings: Settings, clock: FrozenClock, make_key: Callable[..., str], path: str
    ):
        away, key = Settings(data_dir=settings.data_dir, database_url=NOBODY), make_key()
        container = build_container(away, clock=clock, counters=MemoryRateLimitStore(clock))
        with closing(container.database), TestClient(create_app(container)) as anonymous_client:
            answer = anonymous_client.get(path, headers={"x-api-key": key})
        assert told(answer) == (503, "service_unavailable")
        assert "s3cret" not in answer.text


class TestLog:
    def test_says_it_in_a_line_without_a_trace(self, capfd: pytest.CaptureFixture[str]):
        set_up("info")
        with (
            closing(Database(NOBODY)) as database,
            pytest.raises(DatabaseUnavailable) as away,
            database.transaction() as db,
        ):
            db.connection()
        structlog.get_logger().warning("worker.fault", exc_info=away.value)
        told = capfd.readouterr().err
        assert "s3cret" not in told
        lines = [json.loads(line) for line in told.splitlines()]
        assert [line["event"] for line in lines] == ["database.away", "worker.fault"]
        assert "127.0.0.1" in lines[0]["why"]
        assert "can't be used now" in lines[1]["why"]
        assert not any("exception" in line for line in lines)
