"""The optional language model: a real HTTP server that speaks the protocol, and how it may fail."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from modelwright.bootstrap.container import Container
from modelwright.catalog.service import Catalogs
from modelwright.core.clock import SystemClock
from modelwright.core.errors import Unavailable
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.language.checks import checking
from modelwright.engines.language.checks.findings import Finding
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.llm.completion import (
    CompletionFailed,
    CompletionRequest,
    Constraint,
    Turn,
)
from modelwright.language_models.endpoint import Endpoint
from modelwright.language_models.service import LanguageModels
from modelwright.queries.query_runner import QueryRunner
from modelwright.queries.service import Queries
from modelwright.server.metrics import LanguageModelMetrics
from modelwright.sessions.service import Sessions

Ask = Callable[..., Any]
RIGHT = {
    "sql": 'SELECT "region", max("amount") AS "most" FROM "table0" GROUP BY 1 ORDER BY 1;',
    "interpretation": "The highest amount of each region.",
    "chart": None,
}
MEAN = {**RIGHT, "sql": 'SELECT avg("amount") AS "mean" FROM "table0"'}
WRONG = {**RIGHT, "sql": "SELECT nothing FROM table0"}
HOSTILE = {**RIGHT, "sql": "COPY table0 TO 'stolen.csv'"}


@dataclass
class Peer:
    """A server of the protocol: says what it is told to, and keeps what it was asked."""

    replies: list[Any] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 200
    statuses: list[int] = field(default_factory=list)
    """What it answers before it answers as it should."""
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
            if peer.statuses:
                self.send_error(peer.statuses.pop(0))
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
def configured(container: Container, peer: Peer) -> Callable[..., None]:
    """Gives the container a language model at the peer's address."""

    def make(*, seconds: float = 10.0, sees_values: bool = False, address: str = "") -> None:
        endpoint = Endpoint(
            address or peer.address, "some-model", "secret", sees_values=sees_values
        )
        models = LanguageModels([endpoint], SystemClock(), seconds)
        query_runner = QueryRunner(
            container.service(Sessions), container.service(Catalogs).infer, LIMITS, models.readers
        )
        container.service(Queries).query_runner = query_runner

    return make


ASKED = "what is the highest amount of each region?"
COUNT = {"sql": 'SELECT count(*) FROM "table0"', "interpretation": "All rows.", "chart": None}


@pytest.mark.usefixtures("session")
class TestAnswer:
    def test_its_sql_is_answered_with_who_read_it(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [RIGHT]
        body = ask(ASKED).json()
        assert sorted(body["rows"], key=str) == [["east", None], ["north", 20.0], ["south", 40.0]]
        assert "some-model" in body["read_by"]
        assert 0 < body["confidence"] < 1
        assert body["warnings"] == []

    def test_values_are_not_sent_unless_allowed(self, configured: Ask, peer: Peer, ask: Ask):
        question = "what is the highest amount in oslo?"
        configured()
        peer.replies = [RIGHT]
        ask(question)
        assert not any(value in json.dumps(peer.asked) for value in ("Oslo", "Rome", "2024-01-05"))
        assert "city" in json.dumps(peer.asked)
        configured(sees_values=True)
        peer.replies = [RIGHT]
        ask(question)
        assert "'Oslo' in city" in json.dumps(peer.asked)
        assert "2024-01-05 to 2024-03-10" in json.dumps(peer.asked)
        assert "Rome" not in json.dumps(peer.asked)

    @pytest.mark.parametrize("fragment", ["And in 2023?", "and by city?", "what about Oslo?"])
    def test_a_fragment_of_a_conversation_is_not_guessed_at(
        self, configured: Ask, peer: Peer, ask: Ask, fragment: str
    ):
        configured()
        peer.replies = [RIGHT]
        answer = ask(fragment)
        assert answer.status_code == 422

    def test_types_and_rows_are_told(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [RIGHT]
        ask(ASKED)
        said = peer.asked[0]["messages"][0]["content"]
        assert "-- 5 rows" in said
        assert "sold_on DATE" in said

    def test_one_that_may_pass_is_asked_again(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies, peer.statuses = [RIGHT], [429, 503]
        assert "some-model" in ask(ASKED).json()["read_by"]

    def test_that_fails_is_told_in_the_answer(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.statuses = [401]
        body = ask("how many rows are there?").json()
        assert body["rows"] == [[5]]
        assert any("some-model" in one and "401" in one for one in body["warnings"])

    def test_that_writes_what_no_check_foresaw_is_told_in_the_answer(
        self, configured: Ask, peer: Peer, ask: Ask, monkeypatch: pytest.MonkeyPatch
    ):
        def stumbles(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
            if "mode" in sql.text.lower():
                raise RecursionError
            yield from ()

        monkeypatch.setattr(checking, "CHECKS", (*checking.CHECKS, stumbles))
        configured()
        peer.replies = [{**RIGHT, "sql": 'SELECT mode("region") AS "usual" FROM "table0"'}]
        body = ask("how many rows are there?").json()
        assert body["rows"] == [[5]]
        assert any("could not be checked" in one for one in body["warnings"])

    def test_that_fails_is_told_with_choices_as_well(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.statuses = [401]
        error = ask("how large are the sales?").json()["error"]
        assert any(one["field"] == "choice" for one in error["details"])
        assert "some-model" in error["message"]
        assert "401" in error["message"]

    def test_how_it_fares_is_told_in_health_and_metrics(self, container: Container, peer: Peer):
        endpoint = Endpoint(peer.address, "some-model", "secret")
        models = LanguageModels([endpoint], SystemClock(), 5)
        container.services[LanguageModels] = models
        peer.replies = ["hello"]
        models._models[0].complete(
            CompletionRequest([Turn("user", "hi")], Constraint(json_schema={}), 5)
        )
        peer.statuses = [401]
        with pytest.raises(CompletionFailed):
            models._models[0].complete(
                CompletionRequest([Turn("user", "hi")], Constraint(json_schema={}), 5)
            )
        told = {one.name: one for one in LanguageModelMetrics(models).collect()}
        counts = {name: one.samples[0].value for name, one in told.items()}
        assert counts["modelwright_language_model_calls"] == 2
        assert counts["modelwright_language_model_failures"] == 1
        assert "401" in models.standings()[0].last_failure
        assert container.checks()["language_models"] == models.probe
        with pytest.raises(Unavailable, match="some-model"):
            models.probe()

    def test_a_mistake_is_given_back_once(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [WRONG, RIGHT]
        assert "some-model" in ask(ASKED).json()["read_by"]
        said = peer.asked[1]["messages"][-1]["content"]
        assert "nothing" in said
        assert len(peer.asked) == 2

    @pytest.mark.parametrize("sees_values", [True, False])
    def test_a_mistake_shows_values_only_where_that_is_allowed(
        self, configured: Ask, peer: Peer, ask: Ask, sees_values: bool
    ):
        configured(sees_values=sees_values)
        peer.replies = [{**RIGHT, "sql": 'SELECT CAST("city" AS INTEGER) FROM table0'}, RIGHT]
        assert "some-model" in ask(ASKED).json()["read_by"]
        assert ("Oslo" in json.dumps(peer.asked[1]["messages"][-1])) is sees_values

    @pytest.mark.parametrize("reply", [WRONG, HOSTILE, "not json"])
    def test_what_cannot_be_run_is_left_out_and_told(
        self, configured: Ask, peer: Peer, ask: Ask, reply: Any
    ):
        configured()
        peer.replies = [reply, reply, COUNT]
        body = ask("how many rows are there?").json()
        assert body["rows"] == [[5]]
        assert "some-model" not in body["read_by"]
        (warning,) = body["warnings"]
        assert warning.startswith("some-model: ")

    @pytest.mark.parametrize("address", ["", "http://127.0.0.1:1/v1"])
    def test_a_model_that_is_away_is_told(
        self, configured: Ask, peer: Peer, ask: Ask, address: str
    ):
        configured(seconds=0.2, address=address)
        peer.replies = ["wait"]
        body = ask("how many rows are there?").json()
        assert body["rows"] == [[5]]
        assert body["warnings"]

    def test_that_the_tables_cannot_answer_is_respected(
        self, configured: Ask, peer: Peer, ask: Ask
    ):
        configured()
        peer.replies = [{"sql": None, "interpretation": "No column tells rooms."}]
        answer = ask("how many rows are there?")
        assert answer.status_code == 422
        assert "No column tells rooms." in answer.json()["error"]["message"]

    def test_what_neither_understands_is_refused(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [{"sql": None, "interpretation": "?"}]
        assert ask("colourless green ideas sleep furiously").status_code == 422

    def test_readings_that_differ_are_offered(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        peer.replies = [MEAN]
        answer = ask("how large are the sales?")
        choices = [one for one in answer.json()["error"]["details"] if one["field"] == "choice"]
        assert [one["columns"] for one in choices] == [["mean"], ["amount"]]

    def test_draws_its_chart_from_the_result(self, configured: Ask, peer: Peer, ask: Ask):
        configured()
        chart = {"type": "bar_chart", "label": "region", "values": ["all"], "title": "All"}
        sql = 'SELECT "region", sum("amount") AS "all" FROM "table0" GROUP BY 1'
        peer.replies = [{"sql": sql, "interpretation": "All.", "chart": chart}]
        body = ask("bar chart of total amount by region").json()
        assert body["result_type"] == "visualization"
        assert sorted(body["data"]["labels"]) == ["north", "south"]

    def test_a_verified_question_does_not_ask_it(
        self, configured: Ask, peer: Peer, ask: Ask, api: Any
    ):
        configured()
        peer.replies = [RIGHT]
        query_id = ask(ASKED).json()["query_id"]
        api.post(f"/data/queries/{query_id}/verify")
        body = ask(ASKED.upper()).json()
        assert body["verified"] is True
        assert len(peer.asked) == 1


@pytest.mark.usefixtures("session")
class TestChoices:
    QUESTION = "how large are the sales?"

    @pytest.fixture
    def offered(self, configured: Ask, peer: Peer, ask: Ask) -> list[dict[str, Any]]:
        """Two readings that differ."""
        configured()
        peer.replies = [MEAN]
        details = ask(self.QUESTION).json()["error"]["details"]
        return [one for one in details if one["field"] == "choice"]

    def test_tell_what_each_means_and_gives(self, offered: list[dict[str, Any]]):
        first, second = offered
        assert first["message"] != second["message"]
        assert first["generated_sql"] != second["generated_sql"]
        assert (first["columns"], first["choice_id"] != second["choice_id"]) == (["mean"], True)

    def test_one_is_taken_by_its_id(self, offered: list[dict[str, Any]], ask: Ask):
        for one in offered:
            body = ask(self.QUESTION, choice_id=one["choice_id"]).json()
            assert body["rows"] == one["rows"]
            assert body["generated_sql"] == one["generated_sql"]

    def test_one_that_was_not_offered_is_refused(self, offered: list[dict[str, Any]], ask: Ask):
        other = offered[0]["choice_id"][:-1] + "9"
        for name in (other, "qry_none-1", "nonsense"):
            answer = ask(self.QUESTION, choice_id=name)
            assert answer.status_code == 422
            assert answer.json()["error"]["details"][0]["field"] == "choice_id"

    def test_one_of_another_question_is_refused(self, offered: list[dict[str, Any]], ask: Ask):
        answer = ask("total amount by region", choice_id=offered[0]["choice_id"])
        assert answer.status_code == 422
        assert "another question" in answer.json()["error"]["message"]

    def test_are_in_the_history_as_not_answered(
        self, offered: list[dict[str, Any]], api: Any, session: dict[str, Any]
    ):
        assert offered
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        assert listed[0]["generated_sql"] is None
        assert "Choose" in listed[0]["error"]
