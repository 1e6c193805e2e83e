"""Two servers on the same data are one: keys, rates and locks hold in both from the next request.

Both are whole (`modelwright serve`), on SQLite and, where `MODELWRIGHT_TEST_DATABASE_URL` names a
server, on PostgreSQL.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import cycle, islice
from pathlib import Path

import httpx
import pytest
from sqlalchemy.engine import make_url
from tests.built_models import Built
from tests.conftest import POSTGRES, _recreate
from tests.e2e.killing import ROW
from tests.e2e.server import Server

from modelwright.api_keys.domain import make_secret
from modelwright.core.db.database import Database
from modelwright.core.limits.contract import LIMITS

DATABASES = ["sqlite", *(["postgresql"] if POSTGRES else [])]
AT_ONCE = 8
INFER = "/models/p/v1.0/infer"


class Pair:
    """Two servers, and what is asked of them in turn."""

    def __init__(self, *servers: Server) -> None:
        self.servers = servers
        self.clients = [httpx.Client(base_url=one.url, timeout=60) for one in servers]

    def ask(
        self, number: int, send: Callable[[httpx.Client], httpx.Response]
    ) -> list[httpx.Response]:
        """Sends so many requests, several at a time, every other one to the same server."""
        with ThreadPoolExecutor(AT_ONCE) as callers:
            return list(callers.map(send, islice(cycle(self.clients), number)))


@pytest.fixture(scope="module", params=DATABASES)
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Iterator[Pair]:
    folder: Path = tmp_path_factory.mktemp("two")
    settings: dict[str, object] = {"trusted_proxies": "127.0.0.1"}
    with ExitStack() as stack:
        if request.param == "postgresql":
            server = stack.enter_context(closing(Database(POSTGRES)))
            name = f"modelwright_two_{worker_id}"
            _recreate(server, name)
            stack.callback(_recreate, server, name, again=False)
            url = make_url(POSTGRES).set(database=name)
            settings["database_url"] = url.render_as_string(hide_password=False)
        servers = [Server(folder, **settings) for _ in range(2)]
        for one in servers:
            stack.callback(one.stop)
            one.start()
        yield Pair(*servers)


def status(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", {}).get("code", "")


class TestRevocation:
    def test_is_seen_by_the_next_request_of_the_other(self, pair: Pair):
        maker = {"x-api-key": pair.servers[0].make_key("revoking@example.org")}
        body = {"name": "short-lived", "permission_level": "read_only"}
        for number in range(6):
            here, there = pair.clients[number % 2], pair.clients[1 - number % 2]
            made = here.post("/auth/api-keys", json=body, headers=maker).json()
            headers = {"x-api-key": made["key"], "x-forwarded-for": "10.0.0.1"}
            assert there.get("/auth/user", headers=headers).status_code == 200
            path = f"/auth/api-keys/{made['key_id']}"
            assert here.delete(path, headers=maker).status_code == 200
            assert status(there.get("/auth/user", headers=headers)) == (401, "revoked_key")

    def test_is_seen_by_the_next_prediction_of_the_other(self, pair: Pair, species: Built):
        pair.servers[0].give_model("p", species)
        with pair.servers[0].client() as client:
            made = client.keys.create(name="short-lived", permission_level="read_only")
            headers = {"x-api-key": made["key"], "x-forwarded-for": "10.0.0.2"}
            for one in pair.clients * 5:
                assert one.post(INFER, json=ROW, headers=headers).status_code == 200
            client.keys.revoke(made["key_id"])
            for one in reversed(pair.clients):
                answer = one.post(INFER, json=ROW, headers=headers)
                assert status(answer) == (401, "revoked_key")


class TestLimits:
    def test_the_rate_of_requests_is_one_and_exact(self, pair: Pair):
        headers = {"x-api-key": pair.servers[0].make_key("rates@example.org")}
        most, more = LIMITS.requests_per_minute_basic, 20
        answers = pair.ask(most + more, lambda one: one.get("/auth/user", headers=headers))
        served = [one for one in answers if one.status_code == 200]
        left = sorted(int(one.headers["x-ratelimit-remaining"]) for one in served)
        assert left == list(range(most))
        limited = [one for one in answers if one.status_code != 200]
        assert {status(one) for one in limited} == {(429, "rate_limited")}
        assert len(limited) == more
        assert all(0 < int(one.headers["retry-after"]) <= 61 for one in limited)

    def test_the_making_of_keys_is_limited_once_for_both(self, pair: Pair):
        headers = {"x-api-key": pair.servers[0].make_key("keys@example.org")}
        body = {"name": "one of many", "permission_level": "read_only"}
        most = LIMITS.key_creations_per_hour
        answers = pair.ask(
            most + 4, lambda one: one.post("/auth/api-keys", json=body, headers=headers)
        )
        assert sorted(one.status_code for one in answers) == [200] * most + [429] * 4
        listed = pair.clients[0].get("/auth/api-keys", headers=headers).json()
        assert listed["pagination"]["total"] == most + 1

    def test_failed_attempts_are_counted_once_for_both_and_lock_neither_s_valid_keys(
        self, pair: Pair
    ):
        address = {"x-forwarded-for": "10.0.0.3"}
        most = LIMITS.failed_authentications
        answers = pair.ask(
            most + 6,
            lambda one: one.get("/models", headers=address | {"x-api-key": make_secret()}),
        )
        locked = (429, "rate_limit_exceeded")
        assert sorted(map(status, answers)) == [(401, "invalid_key")] * most + [locked] * 6
        valid = address | {"x-api-key": pair.servers[0].make_key("valid@example.org")}
        for one in pair.clients:
            assert one.get("/models", headers=valid).status_code == 200
