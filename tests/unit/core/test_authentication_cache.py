"""What the request pipeline caches is never older than the last commit."""

import asyncio
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.predictions.routes import NEEDS

WHERE = "/models/none/v1.0/infer"


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps usage from being written meanwhile: that is a commit too."""
    monkeypatch.setattr("modelwright.core.regular_flush.FLUSH_SECONDS", 3600.0)


async def _answered_together(*_: object) -> dict[str, object]:
    return {"result": {}}


@pytest.fixture
def seen(container: Container, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every time the database was asked for the version."""
    asked: list[str] = []
    monkeypatch.setattr(
        "modelwright.predictions.service.Predictions.find",
        lambda _self, _db, name, _label: asked.append(name) or None,
    )
    monkeypatch.setattr(
        "modelwright.predictions.service.Predictions.infer", lambda *_a, **_k: {"result": {}}
    )
    monkeypatch.setattr(
        "modelwright.predictions.service.Predictions.infer_together", _answered_together
    )
    monkeypatch.setattr("modelwright.predictions.service.Predictions.has_loaded", lambda *_a: True)
    return asked


class TestKnown:
    def test_asks_the_database_once_while_nothing_is_committed(
        self, api: TestClient, container: Container, seen: list[str]
    ):
        if container.database.stamp() is None:
            pytest.skip("only the embedded database says when something was committed")
        for _ in range(3):
            assert api.post(WHERE, json={}).status_code == 200
        assert seen == ["none"]

    def test_sees_a_revoked_key_at_once(
        self, api: TestClient, container: Container, seen: list[str]
    ):
        assert api.post(WHERE, json={}).status_code == 200
        with container.database.transaction(ALL_ACCOUNTS) as db:
            keys = container.service(Keys)
            keys.revoke(db, keys.all_of(db, None)[0].key_id)
        assert api.post(WHERE, json={}).json()["error"]["code"] == "revoked_key"

    def test_sees_an_expiry(
        self,
        container: Container,
        seen: list[str],
        clock: FrozenClock,
        api: TestClient,
        as_key: Callable[[str], TestClient],
    ):
        body = {"name": "a", "permission_level": "read_only", "expiration_days": 1}
        short = as_key(api.post("/auth/api-keys", json=body).json()["key"])
        assert short.post(WHERE, json={}).status_code == 200
        clock.advance(days=1)
        assert short.post(WHERE, json={}).json()["error"]["code"] == "expired_key"


class TestAtOnce:
    def test_reads_the_stamp_once_for_all_requests_of_a_turn(
        self,
        api: TestClient,
        container: Container,
        seen: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ):
        if container.database.stamp() is None:
            pytest.skip("only the embedded database says when something was committed")
        api.post(WHERE, json={})
        read: list[int | None] = []
        stamp = container.database.stamp
        monkeypatch.setattr(container.database, "stamp", lambda: read.append(stamp()) or read[-1])
        key, what = api.headers["x-api-key"], ("none", "v1.0")

        def look() -> bool:
            return (
                container.pipeline.cached_by_key_nowait(
                    key, NEEDS, what, lambda _: seen.append("again")
                )
                is not None
            )

        async def turns() -> list[bool]:
            first = [look() for _ in range(3)]
            await asyncio.sleep(0)
            with container.database.transaction(ALL_ACCOUNTS) as db:
                keys = container.service(Keys)
                keys.revoke(db, keys.all_of(db, None)[0].key_id)
            return [*first, look(), look()]

        assert asyncio.run(turns()) == [True, True, True, False, False]
        assert len(read) == 3
        assert seen == ["none"]
