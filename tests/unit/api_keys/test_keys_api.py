"""API keys over HTTP: made once, listed without the secret, amended, revoked."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.event import listen

from modelwright.api_keys.domain import checksum, is_well_formed, make_secret
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.http.context import Level


def create(api: TestClient, **more: object) -> dict:
    body = {"name": "reporting", "permission_level": "read_write", **more}
    answer = api.post("/auth/api-keys", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def code(answer: Any) -> str:
    return answer.json()["error"]["code"]


class TestCreate:
    def test_answers_the_secret_and_what_the_contract_names(self, api: TestClient):
        key = create(api)
        assert key["key"].startswith("mw_")
        assert is_well_formed(key["key"])
        assert key["key_prefix"] == key["key"][:10]
        assert key["key_suffix"] == key["key"][-4:]
        assert key["permission_level"] == "read_write"
        assert key["created_by"] == "ana@example.org"
        assert key["expires_at"] is None
        assert key["created_at"] == "2026-03-02T12:00:00Z"

    def test_the_new_key_works_in_both_headers(self, api: TestClient, anonymous_client: TestClient):
        secret = create(api)["key"]
        for headers in ({"x-api-key": secret}, {"Authorization": f"Bearer {secret}"}):
            assert anonymous_client.get("/auth/user", headers=headers).status_code == 200

    @pytest.mark.parametrize("absent", ["name", "permission_level"])
    def test_names_a_missing_field(self, api: TestClient, absent: str):
        body = {"name": "a", "permission_level": "read_only"}
        del body[absent]
        answer = api.post("/auth/api-keys", json=body)
        assert (answer.status_code, code(answer)) == (400, "invalid_request")
        assert absent in answer.json()["error"]["message"]

    @pytest.mark.parametrize(
        "wrong",
        [
            {"name": 7},
            {"name": ""},
            {"permission_level": "admin"},
            {"expiration_days": 0},
            {"expiration_days": 3651},
            {"expiration_days": "9"},
        ],
    )
    def test_collapses_a_wrong_field_to_400_and_keeps_422_in_the_body(
        self, api: TestClient, wrong: dict
    ):
        body = {"name": "a", "permission_level": "read_only", **wrong}
        answer = api.post("/auth/api-keys", json=body)
        error = answer.json()["error"]
        assert (answer.status_code, error["status"]) == (400, 422)
        assert error["code"] == "validation_failed"
        assert next(iter(wrong)) in error["message"]


class TestList:
    def test_never_shows_a_secret(self, api: TestClient):
        secret = create(api)["key"]
        answer = api.get("/auth/api-keys")
        assert secret not in answer.text
        assert answer.json()["pagination"] == {
            "total": 2,
            "limit": 20,
            "offset": 0,
            "has_more": False,
        }

    @pytest.mark.usefixtures("no_usage_flush")
    def test_asks_the_database_as_often_for_many_keys_as_for_one(
        self, api: TestClient, container: Container
    ):
        asked: list[str] = []

        def count(*told: object) -> None:
            asked.append(str(told[2]))

        def statements() -> int:
            asked.clear()
            assert api.get("/auth/api-keys").status_code == 200
            return len(asked)

        listen(container.database.engine, "before_cursor_execute", count)
        alone = statements()
        for _ in range(5):
            create(api)
        assert statements() == alone

    def test_filters_by_status(self, api: TestClient):
        key_id = create(api)["key_id"]
        api.delete(f"/auth/api-keys/{key_id}")
        revoked = api.get("/auth/api-keys", params={"status": "revoked"}).json()["keys"]
        assert [key["key_id"] for key in revoked] == [key_id]

    def test_refuses_a_limit_above_the_maximum(self, api: TestClient):
        answer = api.get("/auth/api-keys", params={"limit": 101})
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, 422)

    def test_hides_other_accounts(self, api: TestClient, other_account_client: TestClient):
        create(api)
        assert len(other_account_client.get("/auth/api-keys").json()["keys"]) == 1


class TestRead:
    def test_counts_requests_and_tells_the_last_use(
        self, api: TestClient, anonymous_client: TestClient
    ):
        key = create(api)
        before = api.get(f"/auth/api-keys/{key['key_id']}").json()
        assert before["last_used_at"] is None
        anonymous_client.get("/auth/user", headers={"x-api-key": key["key"]})
        after = api.get(f"/auth/api-keys/{key['key_id']}").json()
        assert after["usage_stats"]["requests_last_24h"] == 1
        assert after["last_used_at"] == "2026-03-02T12:00:00Z"


class TestAmend:
    def test_sets_and_takes_away_the_expiry(self, api: TestClient):
        path = f"/auth/api-keys/{create(api)['key_id']}"
        amended = api.patch(path, json={"expiration_days": 7, "name": "new"}).json()
        assert (amended["name"], amended["expires_at"]) == ("new", "2026-03-09T12:00:00Z")
        assert api.patch(path, json={"expiration_days": None}).json()["expires_at"] is None

    def test_refuses_a_revoked_key(self, api: TestClient):
        path = f"/auth/api-keys/{create(api)['key_id']}"
        api.delete(path)
        answer = api.patch(path, json={"name": "x"})
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, 409)
        assert code(answer) == "resource_exists"


class TestRevoke:
    def test_is_seen_by_the_next_request_and_answers_the_same_twice(
        self, api: TestClient, anonymous_client: TestClient, clock: FrozenClock
    ):
        key = create(api)
        first = api.delete(f"/auth/api-keys/{key['key_id']}").json()
        assert first["status"] == "revoked"
        refused = anonymous_client.get("/auth/user", headers={"x-api-key": key["key"]})
        assert (refused.status_code, code(refused)) == (401, "revoked_key")
        clock.advance(days=1)
        assert api.delete(f"/auth/api-keys/{key['key_id']}").json() == first


class TestRules:
    def test_one_changed_character_breaks_the_checksum(self):
        secret = make_secret()
        changed = secret[:5] + ("a" if secret[5] != "a" else "b") + secret[6:]
        assert is_well_formed(secret)
        assert not is_well_formed(changed)

    def test_the_checksum_is_six_characters(self):
        assert {len(checksum(body)) for body in ("", "a", "zzzz")} == {6}


class TestTenants:
    def test_an_account_sees_only_its_own(
        self, make_key: Callable[..., str], as_key: Callable[[str], TestClient]
    ):
        one, two = as_key(make_key("one@example.org")), as_key(make_key("two@example.org"))
        mine = {key["key_id"] for key in one.get("/auth/api-keys").json()["keys"]}
        theirs = {key["key_id"] for key in two.get("/auth/api-keys").json()["keys"]}
        assert not mine & theirs

    def test_an_admin_key_reads_like_the_others(
        self, make_key: Callable[..., str], as_key: Callable[[str], TestClient]
    ):
        admin = as_key(make_key(level=Level.ADMIN))
        assert admin.get("/auth/api-keys").json()["keys"][0]["permission_level"] == "admin"
