"""Three machines as one: three data folders over one PostgreSQL, one bucket and one Redis.

They stand behind one nginx, which tries the next one where a machine does not answer.
"""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from tests import s3_server
from tests.e2e.server import Server
from tests.e2e.test_deployments import replicas
from tests.ports import free_port
from tests.unit.connections.servers import PASSWORD, postgresql
from tests.unit.core import redis_server

from modelwright_client import Client

MACHINES = 3
ROOM = 2
"""Replicas that one machine may run."""
CONFIG = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream machines {{ {upstreams} }}
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 0;
    location / {{
      proxy_pass http://machines;
      proxy_next_upstream error timeout non_idempotent;
      proxy_http_version 1.1; proxy_buffering off;
      proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
  }}
}}
"""


class Cluster:
    """The machines, the address of all of them, and a key."""

    def __init__(self, servers: list[Server], url: str) -> None:
        self.servers = servers
        self.url = url
        self.key = servers[0].make_key()
        for server in servers:
            server.key = self.key

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
        time.sleep(0.05)
    return time.monotonic() - started


@contextmanager
def running(folder: Path, **settings: object) -> Iterator[Cluster]:
    """Runs three machines until the end of the block."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
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
            stack.callback(server.stop)
        servers[0].start()  # makes the tables
        with ThreadPoolExecutor() as starters:
            list(starters.map(Server.start, servers[1:]))
        upstreams = " ".join(
            f"server 127.0.0.1:{one.port} max_fails=1 fail_timeout=2s;" for one in servers
        )
        config = folder / "nginx.conf"
        config.write_text(CONFIG.format(folder=folder, port=port, upstreams=upstreams))
        nginx = ["nginx", "-e", str(folder / "error.log"), "-c", str(config)]
        process = subprocess.Popen(nginx)
        stack.callback(process.wait, 20)
        stack.callback(process.terminate)
        httpx.Client(transport=httpx.HTTPTransport(retries=10)).get(f"{url}/data/health")
        yield Cluster(servers, url)
