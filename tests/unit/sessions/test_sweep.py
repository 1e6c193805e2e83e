"""What sessions that are over leave on a machine is removed; open ones keep theirs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.sessions import service
from modelwright.sessions.service import MIN_IDLE, Sessions

Opened = Callable[..., dict[str, Any]]


def ask(api: TestClient, session: dict[str, Any]) -> int:
    body = {"query": "select 1", "query_type": "sql", "session_id": session["session_id"]}
    return api.post("/data/query", json=body).status_code


class TestSweep:
    def test_expired_ones_end_and_their_folders_go(
        self, container: Container, api: TestClient, opened: Opened, clock: FrozenClock
    ):
        clock.moment = SystemClock().now()
        short, long = opened(expiration_hours=1), opened(expiration_hours=2)
        for session in (short, long):
            assert ask(api, session) == 200
        homes = container.settings.scratch_dir / "queries"
        both = set(homes.iterdir())
        assert len(both) == 2

        def sweep() -> None:
            with container.database.transaction(ALL_ACCOUNTS) as db:
                container.service(Sessions).sweep(db)

        sweep()
        assert set(homes.iterdir()) == both
        clock.moment += MIN_IDLE + timedelta(minutes=5)
        sweep()
        assert len(set(homes.iterdir())) == 1
        assert ask(api, long) == 200
        ended = api.get(f"/data/sessions/{short['session_id']}").json()
        assert (ended["status"], ended["ended_at"]) == ("ended", ended["expires_at"])
        assert ask(api, short) == 409

    def test_an_account_s_oldest_ended_ones_are_forgotten(
        self, container: Container, api: TestClient, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(service, "KEPT_SESSIONS_PER_ACCOUNT", 2)
        stays_open, *others = [opened()["session_id"] for _ in range(5)]
        for session_id in others:
            api.delete(f"/data/sessions/{session_id}")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Sessions).sweep(db)
        left = [one["session_id"] for one in api.get("/data/sessions").json()["sessions"]]
        assert sorted(left) == sorted([stays_open, *others[2:]])
        assert api.get(f"/data/sessions/{others[0]}").status_code == 404
