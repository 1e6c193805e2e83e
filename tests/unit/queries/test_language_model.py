"""The optional language model: a real HTTP server that speaks the protocol, and how it may fail."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from modelwright.bootstrap.container import House
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.queries import llm_sql
from modelwright.queries.domain import ChartType
from modelwright.queries.llm_client import Endpoint
from modelwright.queries.llm_sql import ANSWER_SCHEMA, Turn, WritingFailed
from modelwright.queries.query_runner import Answering, LanguageModel
from modelwright.queries.service import Queries
from modelwright.sessions.service import Sessions

Ask = Callable[..., Any]
RIGHT = {
    "sql": 'SELECT "region", max("amount") AS "most" FROM "table0" GROUP BY 1 ORDER BY 1;',
    "interpretation": "The highest amount of each region.",
    "chart": None,
}
WRONG = {**RIGHT, "sql": "SELECT nothing FROM table0"}
HOSTILE = {**RIGHT, "sql": "COPY table0 TO 'stolen.csv'"}


@dataclass
class Peer:
    """A server of the protocol: says what it is told to, and keeps what it was asked."""

    replies: list[Any] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 200
    hold: threading.Event = field(default_factory=threading.Event)
    address: str = ""

    def body(self) -> bytes:
        reply = self.replies.pop(0) if self.replies else None
        content = reply if isinstance(reply, str) else json.dumps(reply)
        message = {"role": "assistant", "content": content}
        return json.dumps({"choices": [{"index": 0, "message": message}]}).encode()


def handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            peer.asked.append({"path": self.path, **json.loads(self.rfile.read(length))})
            peer.headers.append(dict(self.headers))
            if peer.replies and peer.replies[0] == "wait":
                peer.hold.wait(20)
                return
            body = peer.body()
            self.send_response(peer.status)
            self.send_header("Content-Type", "application/json")
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
    made.hold.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def configured(house: House, peer: Peer) -> Callable[..., None]:
    """Gives the house a language model at the peer's address."""

    def make(*, seconds: float = 10.0, sees_values: bool = False, address: str = "") -> None:
        endpoint = Endpoint(address or peer.address, "some-model", "secret")
        model = LanguageModel(endpoint, seconds, sees_values)
        answering = Answering(house.service(Sessions), LIMITS, model)
        house.service(Queries)._answering = answering

    return make


class TestEndpoint:
    def test_speaks_the_protocol(self, peer: Peer):
        peer.replies = ["hello"]
        endpoint = Endpoint(peer.address + "/", "some-model", "secret")
        assert endpoint.complete([Turn("user", "hi")], ANSWER_SCHEMA, 5) == "hello"
        asked = peer.asked[0]
        assert asked["path"] == "/v1/chat/completions"
        assert asked["model"] == "some-model"
        assert asked["messages"] == [{"role": "user", "content": "hi"}]
        assert asked["response_format"]["json_schema"]["schema"] == ANSWER_SCHEMA
        assert peer.headers[0]["Authorization"] == "Bearer secret"

    def test_needs_no_key(self, peer: Peer):
        peer.replies = ["hello"]
        Endpoint(peer.address, "m", "").complete([Turn("user", "hi")], {}, 5)
        assert "Authorization" not in peer.headers[0]

    def test_another_status_fails(self, peer: Peer):
        peer.status = 500
        with pytest.raises(WritingFailed, match="500"):
            Endpoint(peer.address, "m", "").complete([Turn("user", "hi")], {}, 5)

    @pytest.mark.parametrize("address", ["http://127.0.0.1:1/v1", "nonsense", "http://[::1"])
    def test_nobody_there_fails(self, address: str):
        with pytest.raises(WritingFailed):
            Endpoint(address, "m", "").complete([Turn("user", "hi")], {}, 5)

    def test_silence_fails_in_time(self, peer: Peer):
        peer.replies = ["wait"]
        with pytest.raises(WritingFailed, match="Timeout"):
            Endpoint(peer.address, "m", "").complete([Turn("user", "hi")], {}, 0.2)


class TestOpening:
    TABLE = TableFacts(
        'sa"les',
        (ColumnFacts("city\nIgnore this", "string", 2, 0, 1, "Oslo", "Oslo", (("Oslo", 2),)),),
    )

    def test_tells_names_and_types_only(self):
        told = llm_sql.opening("q", [self.TABLE], date(2026, 3, 2), with_values=False)
        assert '"city\\nIgnore this" string' in told[0].content
        assert "2026-03-02" in told[0].content
        assert "Oslo" not in told[0].content
        assert told[1] == Turn("user", "q")

    def test_tells_values_where_that_is_allowed(self):
        told = llm_sql.opening("q", [self.TABLE], date(2026, 3, 2), with_values=True)
        assert '["Oslo"]' in told[0].content


class TestRead:
    def test_reads_sql_sentence_and_chart(self):
        chart = {"type": "bar_chart", "label": "a", "values": ["b"], "title": "T"}
        reading = llm_sql.read(json.dumps({**RIGHT, "chart": chart}))
        assert not reading.sql.endswith(";")
        assert reading.interpretation == "The highest amount of each region."
        assert reading.picture is not None
        assert reading.picture.type is ChartType.BAR

    def test_reads_json_inside_words(self):
        assert llm_sql.read(f"Here:\n```json\n{json.dumps(RIGHT)}\n```").sql

    @pytest.mark.parametrize(
        "answer",
        ["", "no", "[]", "{}", '{"sql": 7}', '{"sql": null}', '{"sql": "  ;"}',
         '{"sql": "SELECT 1", "chart": {"type": "globe"}}'],
    )  # fmt: skip
    def test_refuses_anything_else(self, answer: str):
        with pytest.raises(WritingFailed):
            llm_sql.read(answer)


@pytest.mark.usefixtures("session")
class TestAnswer:
    def test_its_sql_runs_and_is_returned(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [RIGHT]
        body = ask("what is the most sold in each region?").json()
        assert body["rows"] == [["east", None], ["north", 20.0], ["south", 40.0]]
        assert body["generated_sql"] == RIGHT["sql"].rstrip(";")
        assert body["interpretation"] == RIGHT["interpretation"]

    def test_values_are_not_sent_unless_allowed(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [RIGHT]
        ask("what is the most sold in each region?")
        assert "Oslo" not in json.dumps(peer.asked)
        assert "city" in json.dumps(peer.asked)
        configured(sees_values=True)
        peer.replies = [RIGHT]
        ask("what is the most sold in each region?")
        assert "Oslo" in json.dumps(peer.asked)

    def test_a_mistake_is_given_back_once(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [WRONG, RIGHT]
        assert ask("how many rows are there?").json()["interpretation"] == RIGHT["interpretation"]
        said = peer.asked[1]["messages"][-1]["content"]
        assert "nothing" in said
        assert len(peer.asked) == 2

    @pytest.mark.parametrize("sees_values", [True, False])
    def test_a_mistake_shows_values_only_where_that_is_allowed(
        self, configured: Ask, peer: Peer, ask: Ask, sees_values: bool
    ):
        configured(sees_values=sees_values)
        peer.replies = [{**RIGHT, "sql": 'SELECT CAST("city" AS INTEGER) FROM table0'}, RIGHT]
        assert ask("how many rows are there?").json()["interpretation"] == RIGHT["interpretation"]
        assert ("Oslo" in json.dumps(peer.asked[1]["messages"][-1])) is sees_values

    @pytest.mark.parametrize("reply", [WRONG, HOSTILE])
    def test_two_mistakes_leave_it_to_the_parser(
        self, configured: Ask, peer: Peer, ask: Ask, reply: dict[str, Any]
    ):
        configured()
        peer.replies = [reply, reply, RIGHT]
        assert ask("how many rows are there?").json()["rows"] == [[5]]
        assert len(peer.asked) == 2

    @pytest.mark.parametrize("reply", ["not json", {"sql": None, "interpretation": "?"}])
    def test_no_sql_leaves_it_to_the_parser(
        self, configured: Ask, peer: Peer, ask: Ask, reply: Any
    ):
        configured()
        peer.replies = [reply]
        assert ask("how many rows are there?").json()["rows"] == [[5]]

    def test_silence_leaves_it_to_the_parser(self, configured: Ask, peer: Peer, ask: Ask):
        configured(seconds=0.2)
        peer.replies = ["wait"]
        assert ask("how many rows are there?").json()["rows"] == [[5]]

    def test_nobody_there_leaves_it_to_the_parser(self, configured: Ask, ask: Ask):
        configured(address="http://127.0.0.1:1/v1")
        assert ask("how many rows are there?").json()["rows"] == [[5]]

    def test_what_neither_understands_is_refused(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [{"sql": None, "interpretation": "?"}]
        assert ask("colourless green ideas sleep furiously").status_code == 422

    def test_draws_its_chart_from_the_result(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        chart = {"type": "bar_chart", "label": "region", "values": ["most"], "title": "Most"}
        peer.replies = [{**RIGHT, "chart": chart}]
        body = ask("chart the most sold in each region").json()
        assert body["result_type"] == "visualization"
        assert body["data"]["labels"] == ["north", "south"]

    def test_a_chart_of_columns_that_are_not_there_is_a_table(
        self, configured: Ask, peer: Peer, ask: Ask
    ):
        configured()
        chart = {"type": "bar_chart", "label": "x", "values": ["y"], "title": "Most"}
        peer.replies = [{**RIGHT, "chart": chart}]
        assert ask("chart the most sold in each region").json()["result_type"] == "table"

    def test_a_verified_question_does_not_ask_it(
        self, configured: Ask, peer: Peer, ask: Ask, api: Any
    ):
        configured()
        peer.replies = [RIGHT]
        query_id = ask("most by region").json()["query_id"]
        api.post(f"/data/queries/{query_id}/verify")
        body = ask("Most by region?").json()
        assert (body["verified"], body["interpretation"]) == (True, RIGHT["interpretation"])
        assert len(peer.asked) == 1
