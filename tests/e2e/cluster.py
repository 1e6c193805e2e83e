"""Three machines as one: three data folders over one PostgreSQL, one bucket and one Redis.

They stand behind one nginx with the rules that are shipped: what a machine did not take goes to the
next one, and what it took and did not answer is the caller's to repeat.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
from sqlalchemy import text
from tests import s3_server
from tests.e2e.proxying import proxied
from tests.e2e.server import Server
from tests.e2e.test_deployments import replicas
from tests.ports import free_port
from tests.unit.connections.servers import PASSWORD, postgresql
from tests.unit.core import redis_server

from modelwright.core.db.database import Database
from modelwright.core.http.idempotency import HEADER
from modelwright.machines.identity import machine_id
from modelwright_client import Client

MACHINES = 3
ROOM = 2
"""Replicas that one machine may run."""


class Cluster:
    """The machines, the address of all of them, and a key."""

    def __init__(self, servers: list[Server], url: str) -> None:
        self.servers = servers
        self.url = url
        words = ("keys", "create", "--name", "test", "--permission-level", "read_write")
        self.key = servers[0].command(*words).splitlines()[-1]
        for server in servers:
            server.key = self.key

    def rows(self, query: str, **values: Any) -> list[Any]:
        """Asks the database that the machines share."""
        with (
            closing(Database(self.servers[0].settings.database)) as database,
            database.engine.connect() as connection,
        ):
            return list(connection.execute(text(query), values))

    def home_of(self, session_id: str) -> Server | None:
        """The machine where a session lives."""
        query = "select machine_id from data_sessions where session_id = :one"
        named = {machine_id(one.data): one for one in self.servers}
        return next((named.get(lives or "") for (lives,) in self.rows(query, one=session_id)), None)

    def told(self) -> str:
        """What the database says of replicas and machines, for who asks why a test failed."""
        queries = (
            "select now()",
            "select machine_id, status, socket, error, lease_until from replicas",
            "select machine_id, room, is_draining, seen_at, replicas_until from machines",
            "select deployment_id, status, error, replicas from deployments",
        )
        rows = [str(row) for one in queries for row in self.rows(one)]
        return "\n".join([str(self.counts()), *rows])

    def client(self) -> Client:
        """A client of the one address."""
        return Client(self.url, self.key)

    def http(self) -> httpx.Client:
        """Plain requests to the one address."""
        return httpx.Client(base_url=self.url, headers={"x-api-key": self.key}, timeout=60)

    def replicas(self) -> list[list[psutil.Process]]:
        """The replica processes of each machine that runs."""
        return [replicas(one) if one.runs else [] for one in self.servers]

    def counts(self) -> list[int]:
        """How many replica processes each machine runs."""
        return [len(one) for one in self.replicas()]


def until(true: Callable[[], bool], within: float = 30.0, why: Callable[[], Any] = str) -> float:
    """Waits until something is true; returns the seconds that took."""
    started = time.monotonic()
    while not true():
        assert time.monotonic() - started < within, why()
        time.sleep(0.2)
    return time.monotonic() - started


@contextmanager
def running(folder: Path, *, source: Path | None = None, **settings: object) -> Iterator[Cluster]:
    """Runs three machines until the end of the block, those of another `source` where told."""
    with ExitStack() as stack:
        for name in ("redis", "s3", *map(str, range(MACHINES))):
            (folder / name).mkdir()
        postgres = stack.enter_context(postgresql())
        postgres.run("create database shared")
        redis = stack.enter_context(redis_server.running(folder / "redis"))
        bucket = stack.enter_context(s3_server.running(folder / "s3"))
        bucket.make("shared")
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        address = f"owner:{PASSWORD}@127.0.0.1:{postgres.port}/shared"
        told: dict[str, object] = {
            "database_url": f"postgresql+psycopg://{address}",
            "redis_url": redis.url,
            "secret_key": "the same on all of these machines",
            "cluster_secret": "known to these machines and nobody else",
            "public_url": url,
            "trusted_proxies": "127.0.0.1",
            "replicas_at_most": ROOM,
            "build_seconds": 5,
            "drain_seconds": 5,
            **s3_server.settings_of(bucket.named("shared")),
            **settings,
        }
        servers = [
            Server(folder / str(number), cluster_listen=f"127.0.0.1:{free_port()}", **told)
            for number in range(MACHINES)
        ]
        for server in servers:
            if source is not None:
                server.environment["PYTHONPATH"] = str(source)
            stack.callback(server.stop)
        servers[0].start()  # makes the tables
        with ThreadPoolExecutor() as starters:
            list(starters.map(Server.start, servers[1:]))
        hosts = {
            f"server-{number}:8000": f"127.0.0.1:{one.port}"
            for number, one in enumerate(servers, start=1)
        }
        stack.enter_context(proxied(folder, hosts, port))
        httpx.Client(transport=httpx.HTTPTransport(retries=10)).get(f"{url}/data/health")
        yield Cluster(servers, url)


class Load:
    """Callers of one path that rest no longer than told; each tries once more without an answer.

    They send the body, or get what is there where they have none.

    What each request got is kept: when it began, its seconds, the status, and the tries.
    """

    def __init__(
        self,
        cluster: Cluster,
        path: str,
        body: Any = None,
        *,
        callers: int = 4,
        pause_seconds: float = 0.0,
    ) -> None:
        self.told: list[tuple[float, float, int, int]] = []
        self._path, self._body = path, body
        self._pause_seconds = pause_seconds
        self._cluster = cluster
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._call, daemon=True) for _ in range(callers)]
        for thread in self._threads:
            thread.start()

    def _call(self) -> None:
        with self._cluster.http() as client:
            while not self._done.wait(self._pause_seconds):
                self._ask(client)

    def _ask(self, client: httpx.Client) -> None:
        started, tries = time.monotonic(), 1
        status = self._try(client)
        if status != 200:
            tries = 2
            status = self._try(client)
        self.told.append((started, time.monotonic() - started, status, tries))

    def _try(self, client: httpx.Client, **headers: str) -> int:
        try:
            verb = "GET" if self._body is None else "POST"
            answer = client.request(verb, self._path, json=self._body, headers=headers)
        except httpx.TransportError:
            return 0
        if answer.status_code == 200:
            self._keep(answer)
        return answer.status_code

    def _keep(self, answer: httpx.Response) -> None:
        """Keeps what was answered; there is nothing to keep of what makes nothing."""

    def await_more(self, number: int = 20) -> None:
        """Waits until so many more have been answered."""
        seen = len(self.told)
        until(lambda: len(self.told) >= seen + number, within=60.0)

    def stop(self) -> list[tuple[float, float, int, int]]:
        """Ends the load; returns what did not end well."""
        self._done.set()
        for thread in self._threads:
            thread.join()
        return [one for one in self.told if one[2] != 200]


class KeyedLoad(Load):
    """Callers that make something, each time under a key of its own that is in all its requests.

    What was answered is asked for once more, as a caller does that had lost the answer.
    """

    def __init__(self, cluster: Cluster, path: str, body: Any, *, pause_seconds: float) -> None:
        self.answers: dict[str, list[Any]] = {}
        """By key, what was answered."""
        super().__init__(cluster, path, body, callers=1, pause_seconds=pause_seconds)

    def _ask(self, client: httpx.Client) -> None:
        self._key = secrets.token_hex(16)
        self.answers[self._key] = []
        super()._ask(client)
        self._try(client)

    def _try(self, client: httpx.Client, **headers: str) -> int:
        return super()._try(client, **{HEADER: self._key}, **headers)

    def _keep(self, answer: httpx.Response) -> None:
        self.answers[self._key].append(answer.json())

    def finish(self) -> None:
        """Asks again, as long as it takes, for what no answer came to."""
        with self._cluster.http() as client:
            for key in [key for key, told in self.answers.items() if not told]:
                self._key = key
                until(lambda: self._try(client) == 200, within=60.0)
