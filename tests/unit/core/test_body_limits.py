"""What is refused for its headers alone is refused before a byte of its body is read."""

import socket
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from anyio import run
from anyio.lowlevel import checkpoint
from fastapi.testclient import TestClient
from starlette.types import Message
from tests.live_server import serving

from modelwright.api_keys.domain import make_secret
from modelwright.bootstrap.container import Container
from modelwright.core.errors import InvalidRequest
from modelwright.core.http import body_limits, middleware, pace
from modelwright.core.http.body_limits import limit_body
from modelwright.core.limits.contract import LIMITS, MB
from modelwright.server.app import create_app

MANY = "/models/none/v1.0/predictions"
UNREAD = (MANY, "/models/none/v1.0/infer", "/predict/dep_1", "/data/query", "/auth/api-keys")


def stream() -> Iterator[bytes]:
    """Makes a body without a declared length."""
    return (b" " * 65536 for _ in range(8))


@pytest.fixture
def read_pieces(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the pieces that the application has taken of bodies."""
    taken: list[int] = []
    guarded = limit_body

    def watched(receive: Callable, scope: dict, bound: int) -> Callable:
        async def counting() -> dict:
            message = await receive()
            taken.append(len(message.get("body", b"")))
            return message

        return guarded(counting, scope, bound)

    monkeypatch.setattr(middleware, "limit_body", watched)
    return taken


class TestWithoutAKey:
    @pytest.mark.parametrize("content", [stream, lambda: b"{}"], ids=["streamed", "small"])
    @pytest.mark.parametrize("path", UNREAD)
    def test_nothing_is_read(
        self, anonymous_client: TestClient, read_pieces: list[int], path: str, content: Callable
    ):
        answer = anonymous_client.post(path, content=content())
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
        assert read_pieces == []

    @pytest.mark.parametrize("path", UNREAD)
    def test_nothing_is_read_for_a_key_that_was_never_made(
        self, as_key: Callable[[str], TestClient], read_pieces: list[int], path: str
    ):
        answer = as_key(make_secret()).post(path, content=stream())
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_key")
        assert read_pieces == []

    @pytest.mark.parametrize("path", UNREAD)
    def test_nothing_is_read_for_what_cannot_be_a_key(
        self, as_key: Callable[[str], TestClient], read_pieces: list[int], path: str
    ):
        for secret in ("guess", make_secret()[:-1] + "!"):
            answer = as_key(secret).post(path, content=stream())
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "invalid_key")
        assert read_pieces == []

    def test_such_keys_count_as_failed_attempts(self, as_key: Callable[[str], TestClient]):
        guesser = as_key("guess")
        statuses = [guesser.post(MANY, content=stream()).status_code for _ in range(11)]
        assert statuses == [401] * LIMITS.failed_authentications + [429]

    def test_an_unknown_path_and_a_wrong_method_stay_what_they_are(
        self, anonymous_client: TestClient
    ):
        assert anonymous_client.post("/nowhere", content=stream()).status_code == 404
        assert anonymous_client.put("/auth/api-keys", content=stream()).status_code == 405


class TestTooLarge:
    @pytest.mark.parametrize(
        ("path", "bound"),
        [("/data/query", LIMITS.body_bytes), (MANY, LIMITS.predictions_body_bytes)],
    )
    def test_a_declared_length_is_enough_to_refuse(
        self, api: TestClient, read_pieces: list[int], path: str, bound: int
    ):
        middleware = {"content-length": str(bound + 1)}
        answer = api.post(path, content=stream(), headers=middleware)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
        assert answer.json()["error"]["message"] == f"The body is larger than {bound // MB} MB."
        assert read_pieces == []


class TestPatience:
    """`guarded` by itself, before a client that falls silent when its messages are told."""

    @pytest.fixture
    def hear(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Message]]:
        """Hears messages, each after so many seconds, of a caller who is known or not."""
        clock = [0.0]
        monkeypatch.setattr(body_limits, "monotonic", lambda: clock[0])

        def heard(*told: tuple[float, bytes, bool], state: dict[str, Any]) -> list[Message]:
            coming = iter(told)

            async def receive() -> Message:
                await checkpoint()
                seconds, body, more = next(coming)
                clock[0] += seconds
                return {"type": "http.request", "body": body, "more_body": more}

            async def listen() -> list[Message]:
                app = SimpleNamespace(state=SimpleNamespace(pipeline=None))
                scope = {"type": "http", "headers": [], "state": state, "app": app}
                ask = body_limits.limit_body(receive, scope, LIMITS.body_bytes)
                return [await ask() for _ in told]

            return run(listen)

        return heard

    def test_a_body_in_small_pieces_has_the_time_of_one(self, hear: Callable):
        late = (body_limits.ANONYMOUS_BODY_SECONDS, b"{", True)
        with pytest.raises(InvalidRequest, match="did not come within 60 seconds"):
            hear(late, (0.0, b"}", False), state={})

    def test_nothing_at_all_has_that_time(self, hear: Callable, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(body_limits, "ANONYMOUS_BODY_SECONDS", -1.0)
        with pytest.raises(InvalidRequest, match="did not come"):
            hear((0.0, b"{}", False), state={})

    def test_who_is_known_may_take_longer(self, hear: Callable):
        late = (body_limits.ANONYMOUS_BODY_SECONDS, b"{", True)
        assert len(hear(late, (0.0, b"}", False), state={"caller": "known"})) == 2

    def test_who_is_known_is_ended_below_the_slowest_pace(
        self, hear: Callable, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(pace, "GRACE_SECONDS", -10.0)
        enough = b" " * (11 * pace.SLOWEST_BYTES_A_SECOND)
        with pytest.raises(InvalidRequest, match="more slowly than 1024 bytes a second"):
            hear((0.0, enough, True), (0.0, b"", False), state={"caller": "known"})
        monkeypatch.setattr(pace, "GRACE_SECONDS", 1.0)
        told = hear((0.0, enough, True), (0.0, b"", False), state={"caller": "known"})
        assert len(told) == 2

    def test_a_client_that_listens_to_a_long_answer_may_take_longer(self, hear: Callable):
        whole = (body_limits.ANONYMOUS_BODY_SECONDS, b"", False)
        assert len(hear(whole, (0.0, b"", False), state={})) == 2


@pytest.fixture
def ask(container: Container) -> Iterator[Callable[..., bytes]]:
    """Sends a request's head, and perhaps some more, to a real server; returns what it says first.

    The body never comes whole, so a server that waited for it would not answer at all.
    """

    def send(path: str, *headers: str, more: bytes = b"") -> bytes:
        head = [
            f"POST {path} HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            *headers,
        ]
        with socket.create_connection(address, timeout=30) as line:
            line.sendall("\r\n".join([*head, "", ""]).encode() + more)
            said = line.recv(65536)
            while said.endswith(b"\r\n\r\n") and b" 100 " not in said:
                said += line.recv(65536)
            return said

    with serving(create_app(container)) as address:
        yield send


class TestOnTheWire:
    def test_a_streamed_body_without_a_key_is_not_waited_for(self, ask: Callable[..., bytes]):
        said = ask(MANY, "Transfer-Encoding: chunked", more=b"10000\r\n[")
        assert said.startswith(b"HTTP/1.1 401")

    @pytest.mark.parametrize(
        ("length", "more"),
        [
            (f"Content-Length: {LIMITS.body_bytes}", b"{"),
            ("Transfer-Encoding: chunked", b"20000\r\n" + 0x20000 * b" "),
        ],
    )
    def test_little_is_read_where_no_key_is_needed(
        self, ask: Callable[..., bytes], length: str, more: bytes
    ):
        said = ask("/console/session", length, more=more)
        assert said.startswith(b"HTTP/1.1 413")
        assert b"larger than 64 KB" in said

    def test_a_body_that_does_not_come_is_not_waited_for_forever(
        self, ask: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(body_limits, "ANONYMOUS_BODY_SECONDS", 0.2)
        said = ask("/auth/api-keys", "Content-Length: 20", f"X-Api-Key: {make_secret()}", more=b"{")
        assert said.startswith(b"HTTP/1.1 400")
        assert b"did not come within" in said

    def test_nobody_is_told_to_go_on_with_what_will_be_refused(
        self, ask: Callable[..., bytes], make_key: Callable[..., str]
    ):
        large = f"Content-Length: {LIMITS.predictions_body_bytes + 1}"
        expect = "Expect: 100-continue"
        assert ask(MANY, large, expect).startswith(b"HTTP/1.1 401")
        key = f"X-Api-Key: {make_key()}"
        assert ask(MANY, large, expect, key).startswith(b"HTTP/1.1 413")
        assert ask(MANY, "Content-Length: 2", expect, key).startswith(b"HTTP/1.1 100")

    def test_a_stream_that_grows_too_large_is_refused_while_it_comes(
        self, ask: Callable[..., bytes], make_key: Callable[..., str]
    ):
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        key = f"X-Api-Key: {make_key()}"
        said = ask("/data/query", "Transfer-Encoding: chunked", key, more=chunk * 11)
        assert said.startswith(b"HTTP/1.1 413")
