"""Connections that send no request, or one without end, are closed; all others go on."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.live_server import serving

from modelwright.core.http import connection_guard, write_coalescing

PIECE = b"a" * connection_guard.HEAD_BYTES
TOO_MANY = 64
"""Pieces that no server takes of a head; more than the sockets in between can hold."""
SOON = 0.2
HEAD = b"POST / HTTP/1.1\r\nHost: here\r\n"

Line = socket.socket
Connect = Callable[[], Line]


async def echo(scope: dict[str, Any], receive: Callable, send: Callable) -> None:
    """Answers with the number of bytes that came."""
    assert scope["type"] == "http"
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    said = b"%d bytes" % size
    head = [(b"content-length", b"%d" % len(said))]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": said})


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with serving(echo, http=connection_guard.GuardedHttpProtocol, lifespan="off") as address:
        yield address


@pytest.fixture
def connect(address: tuple[str, int]) -> Iterator[Connect]:
    lines: list[Line] = []

    def begin() -> Line:
        lines.append(socket.create_connection(address, timeout=30))
        return lines[-1]

    yield begin
    for line in lines:
        line.close()


def is_cut(line: Line, begun: bytes) -> bool:
    """Whether a line is closed that sends on and on after a beginning."""
    with suppress(ConnectionError):
        line.sendall(begun)
        for _ in range(TOO_MANY):
            line.sendall(PIECE)
        return False
    return True


def rest(line: Line) -> bytes:
    """All that is said until the line is closed; a line that stays open is a timeout."""
    said = b""
    with suppress(ConnectionError):
        while piece := line.recv(65536):
            said += piece
    return said


class TestHowMuch:
    @pytest.mark.parametrize(
        "begun",
        [
            b"GET /",
            HEAD + b"X-One: ",
            HEAD + b"X-",
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;",
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: ",
        ],
        ids=["address", "header", "name", "extension", "trailer"],
    )
    def test_a_part_without_end_is_not_kept(self, connect: Connect, begun: bytes):
        assert is_cut(connect(), begun)

    def test_many_headers_are_as_one(self, connect: Connect):
        many = b"".join(b"X-%d: a\r\n" % number for number in range(500_000))
        assert is_cut(connect(), HEAD + many)

    def test_the_refusal_says_why(self, connect: Connect):
        line = connect()
        line.sendall(HEAD + b"X-One: " + PIECE)
        said = rest(line)
        assert said.startswith(b"HTTP/1.1 400")
        told = json.loads(said.partition(b"\r\n\r\n")[2])["error"]
        assert (told["code"], told["status"]) == ("invalid_request", 400)
        assert told["message"] == "The head of the request is too large."

    def test_a_body_may_be_larger_than_a_head(self, connect: Connect):
        line = connect()
        line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % (8 * len(PIECE)) + 8 * PIECE)
        assert line.recv(65536).endswith(b"\r\n%d bytes" % (8 * len(PIECE)))

    def test_a_connection_takes_many_requests(self, connect: Connect):
        line = connect()
        long = HEAD + b"Content-Length: 1\r\nX-Long: " + PIECE[:30_000] + b"\r\n\r\n1"
        for _ in range(10):
            line.sendall(long)
            assert line.recv(65536).endswith(b"\r\n1 bytes")


class TestHowLong:
    @pytest.fixture(autouse=True)
    def _soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connection_guard, "HEAD_SECONDS", SOON)
        monkeypatch.setattr(write_coalescing, "LINGER_SECONDS", SOON)

    @pytest.mark.parametrize("begun", [b"", b"GET", HEAD + b"X-One: a\r\n"])
    def test_a_connection_without_a_request_is_closed(self, connect: Connect, begun: bytes):
        line = connect()
        line.sendall(begun)
        assert rest(line) == b""

    def test_so_is_one_after_its_answer(self, connect: Connect):
        line = connect()
        line.sendall(HEAD + b"Content-Length: 1\r\n\r\n1GET")
        assert rest(line).endswith(b"1 bytes")

    def test_a_request_under_way_is_left_alone(self, connect: Connect):
        line, idle = connect(), connect()
        line.sendall(HEAD + b"Content-Length: 2\r\n\r\n1")
        for _ in range(3):
            assert rest(idle) == b""
            idle = connect()
        line.sendall(b"2")
        assert line.recv(65536).endswith(b"2 bytes")

    @pytest.mark.parametrize("begun", [b"", b"1"])
    def test_a_body_that_stands_still_ends_its_connection(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch, begun: bytes
    ):
        monkeypatch.setattr(connection_guard, "BODY_SECONDS", 2 * SOON)
        line = connect()
        line.sendall(HEAD + b"Content-Length: 2\r\n\r\n" + begun)
        assert rest(line) == b""

    def test_a_body_whose_reading_may_have_paused_is_left_to_its_reader(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(connection_guard, "BODY_SECONDS", SOON)
        line, idle = connect(), connect()
        size = connection_guard.BODY_BYTES + 2
        line.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % size + b"a" * (size - 1))
        for _ in range(3):
            assert rest(idle) == b""
            idle = connect()
        line.sendall(b"a")
        assert line.recv(65536).endswith(b"%d bytes" % size)
