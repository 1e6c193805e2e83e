"""What sessions that are over leave on a machine is removed; open ones keep theirs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from fastapi.testclient import TestClient

from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.db import EVERYONE
from modelwright.sessions.service import YOUNG, Sessions
from modelwright.wiring import House

Opened = Callable[..., dict[str, Any]]


def ask(api: TestClient, session: dict[str, Any]) -> int:
    body = {"query": "select 1", "query_type": "sql", "session_id": session["session_id"]}
    return api.post("/data/query", json=body).status_code


class TestSweep:
    def test_expired_ones_end_and_their_folders_go(
        self, house: House, api: TestClient, opened: Opened, clock: FrozenClock
    ):
        clock.moment = SystemClock().now()
        short, long = opened(expiration_hours=1), opened(expiration_hours=2)
        for session in (short, long):
            assert ask(api, session) == 200
        homes = house.settings.scratch_dir / "queries"
        both = set(homes.iterdir())
        assert len(both) == 2

        def sweep() -> None:
            with house.database.transaction(EVERYONE) as db:
                house.service(Sessions).sweep(db)

        sweep()
        assert set(homes.iterdir()) == both
        clock.moment += YOUNG + timedelta(minutes=5)
        sweep()
        assert len(set(homes.iterdir())) == 1
        assert ask(api, long) == 200
        ended = api.get(f"/data/sessions/{short['session_id']}").json()
        assert (ended["status"], ended["ended_at"]) == ("ended", ended["expires_at"])
        assert ask(api, short) == 409
