"""OpenAI-compatible endpoints: a real HTTP server that speaks the protocol, and how it may fail."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Any

import pytest

from modelwright.engines.language.llm.completion import (
    CompletionFailed,
    CompletionRequest,
    Constraint,
    Turn,
)
from modelwright.engines.language.llm.reader import ANSWER_SCHEMA
from modelwright.language_models.endpoint import Endpoint

TURNS = [Turn("user", "hi")]
JSON = Constraint(json_schema=ANSWER_SCHEMA)


@dataclass
class Peer:
    """Answers the statuses it is given, then 200, and keeps what it was asked."""

    statuses: list[tuple[int, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    listed: int = 200
    content: Any = "hello"
    hold: threading.Event | None = None
    address: str = ""


def handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            peer.keys.append(self.headers.get("Authorization"))
            self.say(peer.listed, b"{}")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            peer.asked.append({"path": self.path, **json.loads(body)})
            peer.keys.append(self.headers.get("Authorization"))
            if peer.hold is not None:
                peer.hold.wait(20)
            status, told = peer.statuses.pop(0) if peer.statuses else (200, "")
            if status != 200:
                self.say(status, told.encode())
                return
            message = {"role": "assistant", "content": peer.content}
            tokens = [{"token": "hello", "logprob": -0.25}]
            choice = {"index": 0, "message": message, "logprobs": {"content": tokens}}
            usage = {"prompt_tokens": 7, "completion_tokens": 1}
            self.say(200, json.dumps({"choices": [choice], "usage": usage}).encode())

        def say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            for name, value in peer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    server.daemon_threads = True
    made.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    if made.hold is not None:
        made.hold.set()
    server.shutdown()
    server.server_close()
    thread.join()


def endpoint(peer: Peer, key: str = "") -> Endpoint:
    return Endpoint(peer.address + "/", "some-model", key)


class TestComplete:
    def test_speaks_the_protocol(self, peer: Peer):
        found = endpoint(peer, "secret").complete(CompletionRequest(TURNS, JSON, 5))
        assert (found.text, found.prompt_tokens, found.completion_tokens) == ("hello", 7, 1)
        assert [one.logprob for one in found.tokens] == [-0.25]
        asked = peer.asked[0]
        assert asked["path"] == "/v1/chat/completions"
        assert asked["model"] == "some-model"
        assert asked["messages"] == [{"role": "user", "content": "hi"}]
        assert asked["response_format"]["json_schema"]["schema"] == ANSWER_SCHEMA
        assert peer.keys == ["Bearer secret"]

    def test_needs_no_key(self, peer: Peer):
        endpoint(peer).complete(CompletionRequest(TURNS, JSON, 5))
        assert peer.keys == [None]

    @pytest.mark.parametrize("status", [429, 500, 502, 503])
    def test_tries_again_what_may_pass(
        self, peer: Peer, status: int, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("modelwright.language_models.endpoint.FIRST_WAIT_SECONDS", 0.05)
        peer.statuses = [(status, ""), (status, "")]
        assert endpoint(peer).complete(CompletionRequest(TURNS, JSON, 10)).text == "hello"
        assert len(peer.asked) == 3

    def test_waits_as_long_as_it_is_told(self, peer: Peer):
        peer.statuses, peer.headers = [(429, "")], {"Retry-After": "1"}
        started = monotonic()
        assert endpoint(peer).complete(CompletionRequest(TURNS, JSON, 10)).text == "hello"
        assert monotonic() - started >= 1

    def test_does_not_wait_longer_than_there_is_time(self, peer: Peer):
        peer.statuses, peer.headers = [(429, "")], {"Retry-After": "60"}
        with pytest.raises(CompletionFailed, match="429"):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 3))
        assert len(peer.asked) == 1

    def test_gives_up_after_some_tries(self, peer: Peer):
        peer.statuses, peer.headers = [(503, "")] * 9, {"Retry-After": "0"}
        with pytest.raises(CompletionFailed, match="503"):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 10))
        assert len(peer.asked) == 4

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_does_not_try_again_what_stays_wrong(self, peer: Peer, status: int):
        peer.statuses = [(status, "")]
        with pytest.raises(CompletionFailed, match=str(status)):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 5))
        assert len(peer.asked) == 1

    @pytest.mark.parametrize(
        ("told", "member"),
        [
            ("Unsupported value: 'temperature' does not support 0", "temperature"),
            ("json_schema is not supported by this model", "response_format"),
            ("logprobs are not available", "logprobs"),
        ],
    )
    def test_leaves_out_what_a_model_does_not_take_from_then_on(
        self, peer: Peer, told: str, member: str
    ):
        peer.statuses = [(400, json.dumps({"error": {"message": told}}))]
        asked = endpoint(peer)
        assert asked.complete(CompletionRequest(TURNS, JSON, 5)).text == "hello"
        asked.complete(CompletionRequest(TURNS, JSON, 5))
        assert [member in body for body in peer.asked] == [True, False, False]
        assert all("messages" in body for body in peer.asked)

    def test_a_bad_request_that_stays_bad_fails(self, peer: Peer):
        peer.statuses = [(400, "no")] * 9
        with pytest.raises(CompletionFailed, match="400"):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 5))

    @pytest.mark.parametrize("content", [None, 7, ["x"]])
    def test_an_answer_without_text_fails(self, peer: Peer, content: Any):
        peer.content = content
        with pytest.raises(CompletionFailed):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 5))

    @pytest.mark.parametrize("address", ["http://127.0.0.1:1/v1", "nonsense", "http://[::1"])
    def test_nobody_there_fails(self, address: str):
        with pytest.raises(CompletionFailed):
            Endpoint(address, "m", "").complete(CompletionRequest(TURNS, JSON, 5))

    def test_silence_fails_in_time(self, peer: Peer):
        peer.hold, started = threading.Event(), monotonic()
        with pytest.raises(CompletionFailed, match="Timeout"):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 0.3))
        assert monotonic() - started < 3

    def test_is_left_when_nobody_waits(self, peer: Peer):
        peer.hold, cancelled, started = threading.Event(), threading.Event(), monotonic()
        threading.Timer(0.3, cancelled.set).start()
        with pytest.raises(CompletionFailed):
            endpoint(peer).complete(CompletionRequest(TURNS, JSON, 20, cancelled.is_set))
        assert monotonic() - started < 5


class TestProbe:
    def test_lets_the_key_in(self, peer: Peer):
        endpoint(peer, "secret").probe()
        assert peer.keys == ["Bearer secret"]

    def test_a_server_that_lists_no_models_is_there(self, peer: Peer):
        peer.listed = 404
        endpoint(peer).probe()

    def test_a_refused_key_fails(self, peer: Peer):
        peer.listed = 401
        with pytest.raises(CompletionFailed, match="401"):
            endpoint(peer).probe()

    def test_nobody_there_fails(self):
        with pytest.raises(CompletionFailed):
            Endpoint("http://127.0.0.1:1/v1", "m", "").probe()
