"""Every 401, 403 and 429 that a key can earn, in either header and on a path of each area."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import operations

from modelwright.api_keys.domain import make_secret
from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.users.service import Users

PATHS = ("/auth/user", "/auth/api-keys", "/models", "/uploads", "/data/sessions", "/jobs", "/usage")
"""Of each area, with one that the gateway maps."""
PRESENTED: dict[str, Callable[[str], dict[str, str]]] = {
    "x-api-key": lambda key: {"x-api-key": key},
    "X-Api-Key": lambda key: {"X-Api-Key": key},
    "Authorization": lambda key: {"Authorization": f"Bearer {key}"},
    "lower-case scheme": lambda key: {"authorization": f"bearer {key}"},
    "spaces around": lambda key: {"x-api-key": f" {key} "},
    "both alike": lambda key: {"x-api-key": key, "Authorization": f"Bearer {key}"},
}


def told(answer: Any) -> tuple[int, str, int]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["status"]


@pytest.fixture
def fresh(api: TestClient) -> dict[str, Any]:
    """A key that expires in a day."""
    body = {"name": "a", "permission_level": "read_write", "expiration_days": 1}
    return dict(api.post("/auth/api-keys", json=body).json())


class TestAdmitted:
    @pytest.mark.parametrize("headers", PRESENTED.values(), ids=PRESENTED)
    def test_in_either_header(
        self,
        anonymous_client: TestClient,
        fresh: dict[str, Any],
        headers: Callable[[str], dict[str, str]],
    ):
        assert anonymous_client.get("/auth/user", headers=headers(fresh["key"])).status_code == 200


WITHOUT: list[dict[str, str]] = [
    {},
    {"x-api-key": ""},
    {"Authorization": "Bearer "},
    {"Authorization": "Bearer"},
]


class TestRefused:
    def test_without_a_key(self, anonymous_client: TestClient):
        for path in PATHS:
            for headers in WITHOUT:
                answer = anonymous_client.get(path, headers=headers)
                assert told(answer) == (401, "unauthorized", 401), (path, headers)

    @pytest.mark.parametrize("path", PATHS)
    def test_with_one_that_is_wrong_in_any_way(
        self, anonymous_client: TestClient, fresh: dict[str, Any], path: str
    ):
        key = fresh["key"]
        wrong = {
            "unknown": {"x-api-key": make_secret()},
            "changed": {"x-api-key": key[:-1] + ("a" if key[-1] != "a" else "b")},
            "cut off": {"Authorization": f"Bearer {key[:-1]}"},
            "longer": {"x-api-key": key + "a"},
            "no ASCII": {"x-api-key": "mw_é".encode("latin-1")},
            "two keys": {"x-api-key": key, "Authorization": f"Bearer {make_secret()}"},
            "another scheme": {"Authorization": f"Basic {key}"},
        }
        for what, headers in wrong.items():
            assert told(anonymous_client.get(path, headers=headers)) == (401, "invalid_key", 401), (
                what
            )

    def test_once_expired(
        self, anonymous_client: TestClient, fresh: dict[str, Any], clock: FrozenClock
    ):
        headers = {"x-api-key": fresh["key"]}
        clock.advance(days=1, milliseconds=-1)
        for path in PATHS:
            assert anonymous_client.get(path, headers=headers).status_code == 200, path
        clock.advance(milliseconds=1)
        for path in PATHS:
            assert told(anonymous_client.get(path, headers=headers)) == (401, "expired_key", 401), (
                path
            )

    def test_once_revoked(
        self, api: TestClient, anonymous_client: TestClient, fresh: dict[str, Any]
    ):
        headers = {"x-api-key": fresh["key"]}
        assert anonymous_client.get("/models", headers=headers).status_code == 200
        api.delete(f"/auth/api-keys/{fresh['key_id']}")
        for path in PATHS:
            assert told(anonymous_client.get(path, headers=headers)) == (401, "revoked_key", 401), (
                path
            )

    def test_once_the_account_is_deactivated(
        self, api: TestClient, container: Container, fresh: dict[str, Any]
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).deactivate(db, "ana@example.org")
        spelt = {"/auth/api-keys": (400, "forbidden", 403), "/models": (403, "forbidden", 403)}
        for path, answer in {**spelt, "/auth/user": (403, "forbidden", 403)}.items():
            assert told(api.get(path)) == answer, path
        for path in ("/uploads", "/data/sessions"):
            assert told(api.get(path)) == (403, "insufficient_permissions", 403), path
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Users).activate(db, "ana@example.org")
        assert api.get("/auth/user").status_code == 200


class TestTwoLinesOfOneHeader:
    @pytest.mark.parametrize("name", ["x-api-key", "Authorization"])
    def test_are_refused_where_they_differ(
        self, anonymous_client: TestClient, fresh: dict[str, Any], name: str
    ):
        lead = "Bearer " if name == "Authorization" else ""
        for keys in ((fresh["key"], make_secret()), (make_secret(), fresh["key"])):
            answer = anonymous_client.get(
                "/auth/user", headers=[(name, lead + key) for key in keys]
            )
            assert told(answer) == (401, "invalid_key", 401)
            assert "send one" in answer.json()["error"]["message"]

    @pytest.mark.parametrize("name", ["x-api-key", "Authorization"])
    def test_are_read_where_they_are_alike(
        self, anonymous_client: TestClient, fresh: dict[str, Any], name: str
    ):
        lead = "Bearer " if name == "Authorization" else ""
        twice = [(name, lead + fresh["key"])] * 2
        assert anonymous_client.get("/auth/user", headers=twice).status_code == 200


class TestTheLifeOfAKey:
    def test_an_expired_key_stays_active_and_counts_no_more(
        self, api: TestClient, as_key: Callable[[str], TestClient], clock: FrozenClock
    ):
        [own] = api.get("/auth/api-keys").json()["keys"]
        body = {"name": "a", "permission_level": "read_write"}
        endless = as_key(api.post("/auth/api-keys", json=body).json()["key"])
        api.patch(f"/auth/api-keys/{own['key_id']}", json={"expiration_days": 1})
        clock.advance(days=2)
        seen = endless.get(f"/auth/api-keys/{own['key_id']}").json()
        assert seen["status"] == "active"
        assert endless.get("/auth/user").json()["has_api_key"] is True
        renewed = endless.patch(f"/auth/api-keys/{own['key_id']}", json={"expiration_days": None})
        assert renewed.json()["expires_at"] is None
        assert api.get("/auth/user").status_code == 200

    def test_an_account_whose_keys_have_expired_has_none(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        container: Container,
        clock: FrozenClock,
        api: TestClient,
    ):
        [own] = api.get("/auth/api-keys").json()["keys"]
        api.patch(f"/auth/api-keys/{own['key_id']}", json={"expiration_days": 1})
        clock.advance(days=1)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            user = container.service(Users).find(db, "ana@example.org")
            assert not container.service(Keys).has_usable(db, user.user_id)


class TestLock:
    def wrong(self, anonymous_client: TestClient) -> Any:
        return anonymous_client.get("/models", headers={"x-api-key": make_secret()})

    def test_is_the_eleventh_failure_within_15_minutes(
        self, anonymous_client: TestClient, clock: FrozenClock
    ):
        for _ in range(10):
            assert told(self.wrong(anonymous_client)) == (401, "invalid_key", 401)
            clock.advance(seconds=1)
        locked = self.wrong(anonymous_client)
        assert told(locked) == (429, "rate_limit_exceeded", 429)
        wait = int(locked.headers["retry-after"])
        assert 0 < wait <= 15 * 60
        said = "More than 10 failed attempts from your address; wait 15 min."
        assert locked.json()["error"]["message"] == said
        clock.advance(seconds=wait)
        assert told(self.wrong(anonymous_client)) == (401, "invalid_key", 401)

    def test_reads_alike_in_every_area_and_is_not_collapsed(self, anonymous_client: TestClient):
        for _ in range(10):
            self.wrong(anonymous_client)
        for one in operations(anonymous_client.app):
            if not one.is_public:
                answer = anonymous_client.request(
                    one.verb, one.url, headers={"x-api-key": make_secret()}
                )
                assert told(answer) == (429, "rate_limit_exceeded", 429), one.name
                assert int(answer.headers["retry-after"]) > 0, one.name

    def test_counts_expired_and_revoked_keys_but_not_missing_ones(
        self, api: TestClient, anonymous_client: TestClient, fresh: dict[str, Any]
    ):
        api.delete(f"/auth/api-keys/{fresh['key_id']}")
        for _ in range(20):
            assert told(anonymous_client.get("/models")) == (401, "unauthorized", 401)
        for _ in range(10):
            revoked = anonymous_client.get("/models", headers={"x-api-key": fresh["key"]})
            assert told(revoked) == (401, "revoked_key", 401)
        assert self.wrong(anonymous_client).status_code == 429
        assert told(anonymous_client.get("/models")) == (401, "unauthorized", 401)

    def test_never_holds_up_a_valid_key(self, api: TestClient, anonymous_client: TestClient):
        for _ in range(15):
            self.wrong(anonymous_client)
        assert api.get("/models").status_code == 200

    def test_is_of_one_address(self, anonymous_client: TestClient):
        for _ in range(11):
            self.wrong(anonymous_client)
        elsewhere = TestClient(
            anonymous_client.app, raise_server_exceptions=False, client=("192.0.2.7", 1)
        )
        assert told(self.wrong(elsewhere)) == (401, "invalid_key", 401)

    def test_is_of_a_whole_network_of_version_6(self, anonymous_client: TestClient):
        def at(address: str) -> TestClient:
            return TestClient(
                anonymous_client.app, raise_server_exceptions=False, client=(address, 1)
            )

        for number in range(10):
            self.wrong(at(f"2001:db8:0:1::{number}"))
        assert self.wrong(at("2001:db8:0:1:ffff::1")).status_code == 429
        assert self.wrong(at("2001:db8:0:2::1")).status_code == 401
        assert self.wrong(at("::ffff:192.0.2.7")).status_code == 401
        for number in range(10):
            self.wrong(at(f"::ffff:192.0.2.{number}"))
        assert self.wrong(at("::ffff:192.0.2.8")).status_code == 401

    def test_an_address_cannot_be_claimed_by_a_header(self, anonymous_client: TestClient):
        for number in range(10):
            anonymous_client.get(
                "/models",
                headers={"x-api-key": make_secret(), "X-Forwarded-For": f"192.0.2.{number}"},
            )
        assert self.wrong(anonymous_client).status_code == 429
