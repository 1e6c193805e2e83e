"""A private Redis for the tests: own folder, own port on loopback, own end; needs no privileges."""

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from tests.ports import free_port

PASSWORD = "s3cret-of-redis"
STARTING_SECONDS = 20.0


@dataclass
class RedisServer:
    """A Redis that asks for a password; can be stopped and started again."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"

    def start(self) -> None:
        binary = shutil.which("redis-server")
        if binary is None:
            pytest.skip("redis-server is not installed: apt-get install redis-server")
        told = [f"--port {self.port}", f"--requirepass {PASSWORD}", "--bind 127.0.0.1"]
        told += [f"--dir {self.folder}", "--appendonly no"]
        words = " ".join(told).split()
        log = (self.folder / "log").open("wb")
        self.process = subprocess.Popen([binary, *words, "--save", ""], stdout=log, stderr=log)
        pause = threading.Event()
        with Redis.from_url(self.url) as client:
            for _ in range(int(STARTING_SECONDS / 0.02)):
                with suppress(RedisError):
                    if client.ping():
                        return
                assert self.process.poll() is None, (self.folder / "log").read_text()
                pause.wait(0.02)
        pytest.fail("Redis did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    server = RedisServer(folder, free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
