"""A private S3 for the tests: Debian's Swift, which checks signatures; a bucket for each test."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from tests.ports import free_port

from modelwright.core.clock import SystemClock
from modelwright.storage.s3_bucket import S3Bucket
from modelwright.storage.s3_signing import Bucket, S3Signer

PYTHON = Path("/usr/bin/python3")
SWIFT = Path("/usr/lib/python3/dist-packages/swift")
PROGRAM = Path(__file__).with_name("swift_server.py")
SECRET = "testing"
STARTING_SECONDS = 120.0


@dataclass
class S3Server:
    """A Swift that answers as S3; can be killed and started again on the same objects."""

    folder: Path
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Starts it and waits until it answers."""
        log = self.folder / "log"
        with log.open("ab") as output:
            words: list[str | Path] = [PYTHON, PROGRAM, self.folder, str(self.port)]
            self.process = subprocess.Popen(words, stdout=output, stderr=output)
        pause = threading.Event()
        for _ in range(int(STARTING_SECONDS / 0.05)):
            with suppress(httpx.TransportError):
                httpx.get(self.url)
                return
            assert self.process.poll() is None, log.read_text()
            pause.wait(0.05)
        pytest.fail("Swift did not start")

    def stop(self) -> None:
        """Kills it; its objects stay."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def named(self, name: str) -> Bucket:
        """Tells of a bucket that need not be there."""
        return Bucket(name, f"{self.url}/{name}", "us-east-1", "test:tester", SECRET)

    def make(self, name: str) -> None:
        """Makes a bucket."""
        clock = SystemClock()
        signer = S3Signer(replace(self.named(name), url=self.url), clock)
        soon = clock.now() + timedelta(minutes=5)
        httpx.put(signer.address("PUT", name, soon)).raise_for_status()

    def clear(self, name: str) -> None:
        """Empties a bucket."""
        bucket = S3Bucket(self.named(name))
        bucket.delete([meta["path"] for meta in bucket.list("")])


def settings_of(bucket: Bucket) -> dict[str, object]:
    """What a server over a bucket is told."""
    return {
        "s3_bucket": bucket.name,
        "s3_endpoint": bucket.url.removesuffix(f"/{bucket.name}"),
        "s3_access_key": bucket.access_key,
        "s3_secret_key": SECRET,
    }


@contextmanager
def running(folder: Path) -> Iterator[S3Server]:
    """Runs a Swift in a folder; skips the test where Swift is not installed."""
    if not SWIFT.is_dir():
        pytest.skip("Swift is not installed: apt-get install python3-swift")
    server = S3Server(folder, free_port())
    try:
        server.start()
        yield server
    finally:
        server.stop()
