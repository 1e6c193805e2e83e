"""What is written in one turn goes out together, nothing is lost; what is no HTTP is told so."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs
from tests.live_server import serving

from modelwright.core.http import write_coalescing
from modelwright.core.http.write_coalescing import (
    MAX_BUFFER_BYTES,
    CoalescingHttpProtocol,
    CoalescingTransport,
)


class Recorder(asyncio.Transport):
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.told.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def written(work: Callable[[CoalescingTransport], object]) -> list[bytes]:
    """Runs work in a loop and gives what went out by the end of the next turn."""

    async def turn() -> list[bytes]:
        inner = Recorder()
        work(CoalescingTransport(inner, asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return inner.told

    return asyncio.run(turn())


class TestJoined:
    def test_a_head_and_its_body_are_one(self):
        assert written(lambda out: [out.write(b"head"), out.write(b"body")]) == [b"headbody"]

    def test_what_stands_alone_goes_when_the_loop_turns(self):
        assert written(lambda out: out.write(b"head")) == [b"head"]

    def test_many_parts_keep_their_order(self):
        parts = [b"head", b"one", b"two", b"three", b"four"]
        told = written(lambda out: [out.write(part) for part in parts])
        assert told == [b"".join(parts)]

    def test_much_is_not_held(self):
        told = written(lambda out: [out.write(b"x" * (MAX_BUFFER_BYTES + 1)), out.write(b"end")])
        assert list(map(len, told)) == [MAX_BUFFER_BYTES + 1, 3]

    def test_closing_sends_what_is_held(self):
        assert written(lambda out: [out.write(b"last"), out.close()]) == [b"last"]

    def test_a_connection_that_is_gone_is_not_written_to(self):
        def lose(out: CoalescingTransport) -> None:
            out.write(b"late")
            out._transport.close()

        assert written(lose) == []


async def fine(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the names of the headers that came."""
    seen = b" ".join(name for name, _ in scope["headers"]).decode()
    await PlainTextResponse("fine", headers={"x-seen": seen})(scope, receive, send)


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with serving(fine, http=CoalescingHttpProtocol, lifespan="off") as address:
        yield address


@pytest.fixture
def say(address: tuple[str, int]) -> Callable[[bytes], tuple[str, bytes]]:
    """Sends bytes over `CoalescingHttpProtocol`; returns the head and the body of the answer."""

    def send(told: bytes) -> tuple[str, bytes]:
        with socket.create_connection(address, timeout=30) as line:
            line.sendall(told)
            head, _, body = b"".join(iter(lambda: line.recv(65536), b"")).partition(b"\r\n\r\n")
        return head.decode(), body

    return send


class TestClosing:
    @pytest.mark.parametrize("version", ["1.0", "1.1"])
    def test_an_answer_reaches_who_still_sends_a_body_that_nobody_reads(
        self, say: Callable[[bytes], tuple[str, bytes]], version: str
    ):
        size = 20 << 20
        told = f"POST / HTTP/{version}\r\nHost: here\r\nConnection: close\r\n"
        head, body = say(f"{told}Content-Length: {size}\r\n\r\n".encode() + bytes(size))
        assert (head.split()[1], body) == ("200", b"fine")

    def test_who_never_sends_the_rest_is_not_waited_for(
        self, say: Callable[[bytes], tuple[str, bytes]], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(write_coalescing, "LINGER_SECONDS", 0.1)
        told = b"POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 9\r\n\r\n1"
        assert say(told)[1] == b"fine"


class TestTrailers:
    def test_what_stands_behind_a_body_is_no_header(
        self, say: Callable[[bytes], tuple[str, bytes]]
    ):
        head = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n"
        first = head + b"\r\n1\r\na\r\n0\r\nx-account: user_1\r\n\r\n"
        told, more = say(first + head + b"Connection: close\r\n\r\n0\r\n\r\n")
        assert "x-seen: host transfer-encoding\r\n" in told
        assert b"x-seen: host transfer-encoding connection\r\n" in more


class TestNoHttp:
    @pytest.mark.parametrize(
        "told",
        [
            b"BREW /models HTTP/1.1\r\nHost: here\r\n\r\n",
            b"no http\r\n\r\n",
            b"GET / HTTP/1.1\r\nno header\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: x\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            (
                b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            ),
            b"GET / HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: here\r\nHost: there\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: here/there\r\nContent-Length: 1\r\n\r\n1",
            b"GET / HTTP/1.1\r\nHost: here there\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: me@here\r\n\r\n",
            b"GET / HTTP/1.0\r\nHost: here\r\nHost: here\r\n\r\n",
            b"GET /models?name=" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n",
        ],
        ids=lambda told: told[:40].decode(),
    )
    def test_is_refused_in_the_words_of_the_contract(
        self, say: Callable[[bytes], tuple[str, bytes]], told: bytes
    ):
        head, body = say(told)
        assert head.startswith("HTTP/1.1 400 ")
        error = json.loads(body)["error"]
        assert (error["code"], error["status"]) == ("invalid_request", 400)
        assert f"x-request-id: {error['request_id']}" in head
        assert "content-type: application/json" in head
        assert "api-version: v1" in head
        assert "access-control-allow-origin: *" in head
        assert f"content-length: {len(body)}" in head

    def test_is_logged_with_where_it_came_from(self, say: Callable[[bytes], tuple[str, bytes]]):
        with capture_logs() as lines:
            _, body = say(b"what is this\r\n\r\n")
        told = {"event": "http.refused", "address": "127.0.0.1"}
        told["request_id"] = json.loads(body)["error"]["request_id"]
        assert [line for line in lines if line.items() >= told.items()]

    @pytest.mark.parametrize(
        "told",
        [
            b"1.1\r\nHost: here",
            b"1.1\r\nHost: my_server.example.org:8000",
            b"1.1\r\nHost: 127.0.0.1:8000",
            b"1.1\r\nHost: [::1]:8000",
            b"1.0",
        ],
    )
    def test_what_is_http_is_answered(self, say: Callable[[bytes], tuple[str, bytes]], told: bytes):
        head, body = say(b"GET / HTTP/" + told + b"\r\nConnection: close\r\n\r\n")
        assert (head[:12], body) == ("HTTP/1.1 200", b"fine")
