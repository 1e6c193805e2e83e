"""Large uploads whose client or server is killed midway go on where they stopped, byte for byte."""

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tests.e2e.fork_server import COMMAND
from tests.e2e.server import Server
from tests.s3_server import S3Server, settings_of

from modelwright_client import Client, ModelwrightError, Retry, UploadBrokenError

SIZE = 40 << 20
PART_BYTES = 16 << 20
WAIT_SECONDS = 60.0
SENDING = """
import sys
from modelwright_client import Client
with Client(sys.argv[1], sys.argv[2]) as client:
    client.uploads.send([sys.argv[3]], begun=lambda one: print(one, flush=True), wait=False)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV of about 40 MB whose every line differs."""
    path = tmp_path_factory.mktemp("large") / "large.csv"
    with path.open("w") as out:
        out.write("id,text\n")
        number = 0
        while out.tell() < SIZE:
            out.writelines(f"{number + n},{'x' * 500}\n" for n in range(1000))
            number += 1000
    return path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("resuming")).start()
    try:
        yield server
    finally:
        server.stop()


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not met():
        assert time.monotonic() < end
        time.sleep(0.005)


class Halt(BaseException):
    """Ends a client as a kill would, at a moment of the test's choosing."""


def begin(server: Server, large: Path, stop_at: int) -> str:
    """Sends a file until so many bytes are sent, then breaks the connection off."""
    begun: list[str] = []

    def watch(_name: str, sent: int, _size: int) -> None:
        if sent >= stop_at:
            raise Halt

    with server.client() as client, pytest.raises(Halt):
        client.uploads.send([large], begun=begun.append, progress=watch, wait=False)
    return begun[0]


def received(client: Client, upload_id: str) -> int:
    return client.uploads.progress(upload_id, "large.csv")["received_bytes"]


def check_equal(server: Server, upload_id: str, large: Path) -> None:
    """Compares what is stored with what was to be sent."""
    [stored] = (server.data / "objects" / "uploads" / upload_id).iterdir()
    assert stored.read_bytes() == large.read_bytes()


def test_a_client_that_breaks_off_goes_on_at_the_byte_where_it_stopped(
    server: Server, large: Path
) -> None:
    upload_id = begin(server, large, PART_BYTES + (5 << 20))
    with server.client() as client:
        until(lambda: not any((server.data / "objects" / ".locks").iterdir()))
        have = received(client, upload_id)
        assert PART_BYTES < have < PART_BYTES * 2
        assert client.uploads.missing_parts(upload_id, "large.csv")["parts"][0]["start"] == have
        sent: list[int] = []
        client.uploads.send(
            [large], resume=upload_id, progress=lambda _n, at, _s: sent.append(at), wait=False
        )
    assert sent[0] == have
    check_equal(server, upload_id, large)


def test_a_client_that_was_killed_is_resumed_by_the_command(server: Server, large: Path) -> None:
    server.client().close()
    words = [sys.executable, "-c", SENDING, server.url, server.key, str(large)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    upload_id = process.stdout.readline().strip()
    with server.client() as client:
        until(lambda: received(client, upload_id) > 0 or process.poll() is not None)
        process.kill()
        process.wait()
        assert client.uploads.read(upload_id)["status"] == "pending"
    environment = os.environ | {
        "MODELWRIGHT_URL": server.url,
        "MODELWRIGHT_API_KEY": server.key,
    }
    subprocess.run(
        [COMMAND, "upload", large, "--resume", upload_id, "--json"],
        env=environment,
        check=True,
        capture_output=True,
    )
    check_equal(server, upload_id, large)


def test_a_server_that_was_killed_has_what_came(server: Server, large: Path) -> None:
    begun: list[str] = []
    broken: list[BaseException] = []

    def watch(_name: str, sent: int, _size: int) -> None:
        if sent > PART_BYTES * 2 and not killed.is_set():
            killed.set()
            killer.join()

    def send() -> None:
        with Client(server.url, server.key, retry=Retry(attempts=1)) as client:
            try:
                client.uploads.send([large], begun=begun.append, progress=watch, wait=False)
            except ModelwrightError as fault:
                broken.append(fault)

    def kill() -> None:
        assert killed.wait(WAIT_SECONDS)
        server.kill()

    server.client().close()
    killed = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    sender = threading.Thread(target=send)
    sender.start()
    sender.join()
    assert isinstance(broken[0], UploadBrokenError)
    assert broken[0].upload_id == begun[0]
    server.start()
    with server.client() as client:
        have = received(client, begun[0])
        assert PART_BYTES * 2 <= have < large.stat().st_size
        sent: list[int] = []
        upload = client.uploads.send(
            [large], resume=begun[0], progress=lambda _n, at, _s: sent.append(at)
        )
    assert sent[0] == have
    assert upload["files"][0]["rows"] == sum(1 for _ in large.open()) - 1
    check_equal(server, begun[0], large)


def test_another_file_of_that_name_is_not_gone_on_with(
    server: Server, large: Path, tmp_path: Path
) -> None:
    upload_id = begin(server, large, PART_BYTES)
    other = tmp_path / "large.csv"
    other.write_bytes(large.read_bytes().replace(b"x", b"y"))
    short = tmp_path / "short" / "large.csv"
    short.parent.mkdir()
    short.write_bytes(b"id,text\n")
    with server.client() as client:
        with pytest.raises(ModelwrightError, match="was begun with a file of"):
            client.uploads.send([short], resume=upload_id)
        with pytest.raises(ModelwrightError, match="Send the file again from its start"):
            client.uploads.send([other], resume=upload_id)
        assert received(client, upload_id) == 0
        client.uploads.delete(upload_id)


def test_parts_in_a_bucket_are_gone_on_with_by_another_server(
    s3: S3Server, tmp_path: Path, large: Path
) -> None:
    s3.make("resumed")
    bucket = s3.named("resumed")
    server = Server(tmp_path, **settings_of(bucket)).start()
    try:
        upload_id = begin(server, large, PART_BYTES * 2 + (1 << 20))
        server.kill()
        server.start()
        with server.client() as client:
            assert received(client, upload_id) == PART_BYTES * 2
            upload = client.uploads.send([large], resume=upload_id)
            export = client.exports.wait(client.exports.create(upload_id)["export_id"])
            content = httpx.get(export["files"][0]["download_url"]).content
        assert upload["status"] == "complete"
        assert hashlib.sha256(content).digest() == hashlib.sha256(large.read_bytes()).digest()
    finally:
        server.stop()
