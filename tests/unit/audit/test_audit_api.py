"""The audit log: changes are in it, reading it needs an admin key, only what is old leaves it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from modelwright.audit import service
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level

BODY = {"name": "a", "permission_level": "read_only"}


@pytest.fixture
def admin(as_key: Callable[[str], TestClient], make_key: Callable[..., str]) -> TestClient:
    return as_key(make_key("operator@localhost", level=Level.ADMIN))


class TestRecord:
    def test_tells_who_did_what_to_which_resource_from_where(
        self, api: TestClient, admin: TestClient
    ):
        answer = api.post("/auth/api-keys", json=BODY)
        [entry] = admin.get("/audit", params={"operation": "keys.create"}).json()["entries"]
        assert entry["actor"] == "ana@example.org"
        assert entry["resource"] == answer.json()["key_id"]
        assert entry["path"] == "/auth/api-keys"
        assert entry["address"] == "testclient"
        assert entry["request_id"] == answer.headers["x-request-id"]

    def test_leaves_out_what_was_refused_and_what_only_reads(
        self, api: TestClient, admin: TestClient
    ):
        api.post("/auth/api-keys", json={"name": "a"})
        api.get("/auth/api-keys")
        assert admin.get("/audit").json()["entries"] == []

    def test_leaves_out_what_was_answered_again(self, api: TestClient, admin: TestClient):
        for _ in range(2):
            api.post("/auth/api-keys", json=BODY, headers={"Idempotency-Key": "once"})
        assert [entry["operation"] for entry in admin.get("/audit").json()["entries"]] == [
            "keys.create"
        ]

    def test_is_newest_first_and_filtered(self, api: TestClient, admin: TestClient):
        key_id = api.post("/auth/api-keys", json=BODY).json()["key_id"]
        api.delete(f"/auth/api-keys/{key_id}")
        of_key = admin.get("/audit", params={"resource": key_id}).json()["entries"]
        assert [entry["operation"] for entry in of_key] == ["keys.revoke", "keys.create"]

    @pytest.mark.parametrize("change", ["update audit set actor = 'x'", "delete from audit"])
    def test_the_database_refuses_to_change_it(
        self, api: TestClient, container: Container, clock: FrozenClock, change: str
    ):
        clock.moment = SystemClock().now() - timedelta(days=27)
        api.post("/auth/api-keys", json=BODY)
        with pytest.raises(DBAPIError), container.database.transaction(ALL_ACCOUNTS) as db:
            db.execute(text(change))


class TestSweep:
    @pytest.fixture
    def made(self, api: TestClient, container: Container, clock: FrozenClock) -> list[str]:
        """What three old entries are about, a day apart; the first one's days are just over."""
        keys = []
        clock.moment = SystemClock().now() - timedelta(days=container.settings.audit_retention_days)
        for _ in range(3):
            keys.append(api.post("/auth/api-keys", json=BODY).json()["key_id"])
            clock.advance(days=1)
        clock.moment = SystemClock().now()
        return keys

    @pytest.fixture
    def left(self, admin: TestClient, container: Container) -> Callable[[], list[str]]:
        """Sweeps and tells what the entries left are about, oldest first."""

        def sweep() -> list[str]:
            duty = next(duty for duty in container.duties if duty.name == "audit.sweep")
            with container.database.transaction(ALL_ACCOUNTS) as db:
                duty.carry_out(db)
            return [entry["resource"] for entry in admin.get("/audit").json()["entries"]][::-1]

        return sweep

    def test_forgets_entries_older_than_the_days_kept(
        self, made: list[str], left: Callable[[], list[str]], clock: FrozenClock
    ):
        assert left() == made[1:]
        clock.advance(hours=23)
        assert left() == made[1:]
        clock.advance(hours=1)
        assert left() == made[2:]

    def test_forgets_some_at_a_time(
        self,
        made: list[str],
        left: Callable[[], list[str]],
        clock: FrozenClock,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(service, "CLEANUP_BATCH_ROWS", 1)
        clock.advance(days=30)
        assert left() == made[1:]
        assert left() == made[2:]


class TestActingInAnotherAccount:
    def test_an_admin_sees_that_account(self, api: TestClient, admin: TestClient):
        account = api.get("/auth/user").json()["user_id"]
        mine = admin.get("/auth/user", headers={"X-Account": account}).json()
        assert mine["email"] == "ana@example.org"

    def test_what_it_changes_is_recorded_there(self, api: TestClient, admin: TestClient):
        account = api.get("/auth/user").json()["user_id"]
        admin.post("/auth/api-keys", json=BODY, headers={"X-Account": account})
        [entry] = admin.get("/audit", params={"account_id": account}).json()["entries"]
        assert entry["actor"] == "operator@localhost"
        assert api.get("/auth/api-keys").json()["pagination"]["total"] == 2
