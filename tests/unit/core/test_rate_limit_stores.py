"""The counters of all kinds behave alike: exact sliding windows, one count for all that share."""

import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr
from redis import Redis, RedisError
from tests.unit.core.redis_server import PASSWORD, RedisServer, running

from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import build_container
from modelwright.cli.doctor import Finding, examine
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level, Tier
from modelwright.core.limits import redis_store
from modelwright.core.limits.contract import LIMITS
from modelwright.core.limits.redis_store import RedisRateLimitStore
from modelwright.core.limits.store import (
    MAX_WINDOW_SECONDS,
    FileRateLimitStore,
    MemoryRateLimitStore,
    RateLimitStore,
    WindowStats,
)
from modelwright.server.app import create_app
from modelwright.users.service import Users

START = 1_772_452_800  # the frozen clock's epoch second


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(redis_server: RedisServer) -> RedisServer:
    """The module's Redis, empty and running."""
    if redis_server.process is None:
        redis_server.start()
    with Redis.from_url(redis_server.url) as client:
        client.flushall()
    return redis_server


@pytest.fixture(params=["memory", "file", "redis"])
def new(
    request: pytest.FixtureRequest, clock: FrozenClock, tmp_path: Path
) -> Callable[[], RateLimitStore]:
    """Makes counters of a kind; those of one kind share what they count."""
    if request.param == "memory":
        only = MemoryRateLimitStore(clock)
        return lambda: only
    if request.param == "file":
        return lambda: FileRateLimitStore(tmp_path / "counters.sqlite", clock)
    url = request.getfixturevalue("redis").url
    return lambda: RedisRateLimitStore(url, Nobody(), clock)


class Nobody:
    """Stands where counters would count alone, and must not."""

    def hit(self, bucket: str, limit: int, seconds: int) -> WindowStats:
        raise AssertionError("counted alone")

    peek = hit

    def probe(self) -> None:
        raise AssertionError("probed")


class TestWindow:
    def test_lets_exactly_the_limit_through(self, new: Callable[[], RateLimitStore]):
        counters = new()
        told = [counters.hit("a", 3, 60) for _ in range(5)]
        assert [one.allowed for one in told] == [True, True, True, False, False]
        assert [one.remaining for one in told] == [2, 1, 0, 0, 0]
        assert {one.limit for one in told} == {3}

    def test_slides(self, new: Callable[[], RateLimitStore], clock: FrozenClock):
        counters = new()
        for seconds in (0, 20, 20):
            clock.advance(seconds=seconds)
            assert counters.hit("a", 3, 60).allowed
        assert not counters.hit("a", 3, 60).allowed
        clock.advance(seconds=19.999)
        assert not counters.hit("a", 3, 60).allowed
        clock.advance(seconds=0.001)
        assert counters.hit("a", 3, 60).allowed
        assert not counters.hit("a", 3, 60).allowed

    def test_says_when_the_oldest_leaves(
        self, new: Callable[[], RateLimitStore], clock: FrozenClock
    ):
        counters = new()
        counters.hit("a", 2, 60)
        clock.advance(seconds=10.5)
        assert counters.hit("a", 2, 60).reset == START + 61
        refused = counters.hit("a", 2, 60)
        assert (refused.reset, refused.retry_after) == (START + 61, 50)
        clock.advance(seconds=refused.retry_after)
        assert counters.hit("a", 2, 60).allowed

    def test_a_refused_hit_is_not_counted(
        self, new: Callable[[], RateLimitStore], clock: FrozenClock
    ):
        counters = new()
        counters.hit("a", 1, 60)
        clock.advance(seconds=59)
        assert not counters.hit("a", 1, 60).allowed
        clock.advance(seconds=1)
        assert counters.hit("a", 1, 60).allowed

    def test_a_look_counts_nothing(self, new: Callable[[], RateLimitStore]):
        counters = new()
        assert [counters.peek("a", 1, 60).allowed for _ in range(3)] == [True] * 3
        counters.hit("a", 1, 60)
        assert not counters.peek("a", 1, 60).allowed
        assert counters.peek("a", 1, 60).retry_after == 61

    def test_a_clock_that_is_set_back_keeps_nobody_out(
        self, new: Callable[[], RateLimitStore], clock: FrozenClock
    ):
        counters = new()
        for _ in range(2):
            assert counters.hit("a", 1, 60).allowed
            assert not counters.peek("a", 1, 60).allowed
            clock.advance(seconds=-3600)
            assert counters.peek("a", 1, 60).allowed

    def test_buckets_are_apart(self, new: Callable[[], RateLimitStore]):
        counters = new()
        counters.hit("a", 1, 60)
        assert counters.hit("b", 1, 60).allowed


class TestSharing:
    def test_all_that_share_count_together(self, new: Callable[[], RateLimitStore]):
        one, other = new(), new()
        assert one.hit("a", 2, 60).allowed
        assert other.hit("a", 2, 60).allowed
        assert not one.hit("a", 2, 60).allowed

    def test_at_once_exactly_the_limit_gets_through(self, new: Callable[[], RateLimitStore]):
        counters, start = [new() for _ in range(4)], threading.Barrier(4)

        def hurry(own: RateLimitStore) -> int:
            start.wait(20)
            return sum(own.hit("a", 50, 60).allowed for _ in range(25))

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(hurry, counters)) == 50

    def test_a_probe_is_well(self, new: Callable[[], RateLimitStore]):
        new().probe()


class TestFile:
    def test_many_may_open_a_new_file_at_once(self, tmp_path: Path, clock: FrozenClock):
        start = threading.Barrier(6)

        def hit(path: Path) -> bool:
            start.wait(20)
            return FileRateLimitStore(path, clock).hit("a", 3, 60).allowed

        with ThreadPoolExecutor(6) as pool:
            for number in range(100):
                path = tmp_path / f"{number}.sqlite"
                assert sum(pool.map(hit, [path] * 6)) == 3

    def test_forgets_buckets_that_nobody_asks_for_again(self, tmp_path: Path, clock: FrozenClock):
        path = tmp_path / "counters.sqlite"
        counters = FileRateLimitStore(path, clock)
        for number in range(50):
            counters.hit(f"old {number}", 1, MAX_WINDOW_SECONDS)
        clock.advance(seconds=MAX_WINDOW_SECONDS)
        for number in range(4):
            counters.hit(f"new {number}", 1, MAX_WINDOW_SECONDS)
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("select count(*) from hits").fetchone() == (4,)


class TestRedis:
    def test_counts_by_the_time_of_redis(self, redis: RedisServer):
        counters = RedisRateLimitStore(redis.url, Nobody())
        assert counters.hit("a", 1, 3600).allowed
        refused = counters.hit("a", 1, 3600)
        with Redis.from_url(redis.url) as client:
            now, _micros = client.time()
            left = client.pttl(redis_store.KEY_PREFIX + "a")
        assert not refused.allowed
        assert abs(refused.reset - (now + 3600)) <= 30
        assert 3_500_000 < left <= 3_600_000

    def test_goes_on_when_redis_forgot_the_script(self, redis: RedisServer, clock: FrozenClock):
        counters = RedisRateLimitStore(redis.url, Nobody(), clock)
        assert counters.hit("a", 2, 60).allowed
        with Redis.from_url(redis.url) as client:
            client.script_flush()
        assert counters.hit("a", 2, 60).allowed
        assert not counters.hit("a", 2, 60).allowed

    def test_counts_alone_while_redis_is_away(
        self, redis: RedisServer, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ):
        counters = RedisRateLimitStore(redis.url, MemoryRateLimitStore(clock), clock)
        assert counters.hit("a", 2, 60).allowed
        redis.stop()
        told = [counters.hit("a", 2, 60).allowed for _ in range(4)]
        assert told == [True, True, False, False]
        with pytest.raises(RedisError):
            counters.probe()
        redis.start()
        counters.probe()
        monkeypatch.setattr(redis_store, "RETRY_SECONDS", 0.0)
        counters._again_at = 0.0
        told = [counters.hit("a", 2, 60).allowed for _ in range(4)]
        assert told == [True, True, False, False]

    def test_one_request_at_a_time_waits_for_a_redis_that_is_away(
        self, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
    ):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
            monkeypatch.setattr(redis_store, "TIMEOUT_SECONDS", 0.05)
            monkeypatch.setattr(redis_store, "RETRY_SECONDS", 3600.0)
            counters = RedisRateLimitStore(url, MemoryRateLimitStore(clock), clock)
            assert counters.hit("a", 2, 60).allowed
            silent.setblocking(False)
            silent.accept()
            assert [counters.hit("a", 2, 60).allowed for _ in range(2)] == [True, False]
            with pytest.raises(BlockingIOError):
                silent.accept()


class TestServers:
    def test_two_servers_with_data_of_their_own_count_together(
        self, settings: Settings, redis: RedisServer
    ):
        """One account's requests, let in by two containers over one database."""
        first = settings.model_copy(update={"redis_url": SecretStr(redis.url)})
        elsewhere = settings.data_dir.parent / "elsewhere"
        second = first.model_copy(update={"data_dir": elsewhere, "database_url": first.database})
        containers = [build_container(first), build_container(second)]
        with containers[0].database.transaction(ALL_ACCOUNTS) as db:
            users, keys = containers[0].service(Users), containers[0].service(Keys)
            ana = users.create(db, "ana@example.org", Tier.BASIC)
            db.flush()
            issued = keys.issue(db, ana.user_id, ana.email, "a", Level.READ_ONLY, None)
        headers = {"x-api-key": issued.secret}
        with (
            TestClient(create_app(containers[0]), headers=headers) as here,
            TestClient(create_app(containers[1]), headers=headers) as there,
        ):
            most = LIMITS.requests_per_minute_basic
            for number in range(most):
                answer = (here, there)[number % 2].get("/auth/user")
                assert answer.status_code == 200
                assert answer.headers["x-ratelimit-remaining"] == str(most - number - 1)
            assert {
                anonymous_client.get("/auth/user").status_code for anonymous_client in (here, there)
            } == {429}

    def test_health_tells_that_redis_is_away(
        self, settings: Settings, redis: RedisServer, capfd: pytest.CaptureFixture[str]
    ):
        container = build_container(settings.model_copy(update={"redis_url": SecretStr(redis.url)}))
        with TestClient(create_app(container)) as anonymous_client:
            assert (
                anonymous_client.get("/data/health").json()["checks"]["counters"]["status"] == "ok"
            )
            redis.stop()
            answer = anonymous_client.get("/data/health")
            assert anonymous_client.get("/auth/user", headers={"x-api-key": "x"}).status_code == 401
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["checks"]["counters"]["status"] == "down"
        assert PASSWORD not in answer.text
        assert PASSWORD not in "".join(capfd.readouterr())


class TestSettings:
    def test_refuses_an_address_that_is_none_of_redis(self):
        with pytest.raises(ValueError, match="must begin with redis://"):
            Settings(redis_url=SecretStr("localhost:6379"))

    def test_the_doctor_says_whether_redis_answers(self, settings: Settings, redis: RedisServer):
        there = settings.model_copy(update={"redis_url": SecretStr(redis.url)})
        wrong = there.model_copy(
            update={"redis_url": SecretStr(redis.url.replace(PASSWORD, "wrong-one"))}
        )
        assert _counted(there).remedy == ""
        told = _counted(wrong)
        assert "MODELWRIGHT_REDIS_URL" in told.remedy
        assert "wrong-one" not in told.message
        redis.stop()
        assert "MODELWRIGHT_REDIS_URL" in _counted(there).remedy


def _counted(settings: Settings) -> Finding:
    return next(finding for finding in examine(settings) if finding.part == "counters")
