"""SQL over HTTP: results, limits, refusals, where a query goes, and what it leaves behind."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update
from tests.api_helpers import error_of
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container
from modelwright.catalog.service import Catalogs
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Tier
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.sql.pool import Pool
from modelwright.queries import service
from modelwright.queries.query_runner import QueryRunner
from modelwright.queries.service import Queries
from modelwright.sessions.orm import SessionRecord
from modelwright.sessions.service import Sessions

Ask = Callable[..., Any]
SLOW = "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE (a.range * b.range) % 7 = 3"


@pytest.mark.usefixtures("session")
class TestTable:
    def test_answers_columns_and_rows(self, sql: Ask, session: dict[str, Any]):
        query = "SELECT region, sum(amount) AS total FROM table0 GROUP BY 1 ORDER BY 1"
        answer = sql(query)
        assert answer.status_code == 200
        body = answer.json()
        assert body.pop("query_id").startswith("qry_")
        assert body.pop("execution_time_ms") > 0
        assert body == {
            "session_id": session["session_id"],
            "result_type": "table",
            "columns": ["region", "total"],
            "rows": [["east", None], ["north", 30.5], ["south", 70.0]],
            "row_count": 3,
            "truncated": False,
            "warnings": [],
            "generated_sql": query,
        }

    def test_numbers_dates_and_nan_are_faithful(self, sql: Ask):
        answer = sql(
            "SELECT 170141183460469231731687303715884105727::HUGEINT, 1.10::DECIMAL(9,2),"
            " DATE '2024-02-29', 'nan'::DOUBLE, [1, NULL], {'a': 1}"
        )
        assert (
            '"rows":[[170141183460469231731687303715884105727,1.10,"2024-02-29",null,[1,null],'
            in answer.text
        )

    def test_a_hundred_rows_by_default(self, sql: Ask):
        body = sql("SELECT * FROM range(500)").json()
        assert (body["row_count"], len(body["rows"]), body["truncated"]) == (100, 100, True)

    def test_as_many_rows_as_asked_for(self, sql: Ask):
        body = sql("SELECT * FROM range(500)", max_results=500).json()
        assert (body["row_count"], body["truncated"]) == (500, False)

    def test_tables_of_one_session_join(self, api: TestClient, model_side: ModelSide, sql: Ask):
        upload_id = model_side.upload("id,name\n1,Ana\n2,Ben\n", "owner,price\n1,5\n1,7\n")
        session = api.post("/data/sessions", json={"upload_id": upload_id}).json()
        assert [one["table"] for one in session["tables"]] == ["table0", "table1"]
        body = sql(
            "SELECT name, sum(price) FROM table0 JOIN table1 ON id = owner GROUP BY 1",
            session_id=session["session_id"],
        ).json()
        assert body["rows"] == [["Ana", 12]]


@pytest.mark.usefixtures("session")
class TestRefusals:
    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"query": "SELECT 1"}, "query_type"),
            ({"query_type": "sql"}, "query"),
        ],
    )
    def test_names_a_missing_field(self, api: TestClient, body: dict[str, Any], field: str):
        answer = api.post("/data/query", json=body)
        assert answer.status_code == 400
        assert error_of(answer)["code"] == "invalid_request"
        assert field in error_of(answer)["message"]

    def test_an_absent_body_names_what_is_required(self, api: TestClient):
        answer = api.post("/data/query")
        assert answer.status_code == 400
        assert error_of(answer)["message"] == "query_type, query are required."

    @pytest.mark.parametrize(
        ("members", "field"),
        [
            ({"max_results": 0}, "max_results"),
            ({"max_results": 10_001}, "max_results"),
            ({"max_results": "5"}, "max_results"),
            ({"query_type": "sparql"}, "query_type"),
            ({"query": 7}, "query"),
            ({"query": ""}, "query"),
            ({"query": "  "}, "query"),
            ({"query": "SELECT '\x00'"}, "query"),
            ({"query_type": "natural_language", "query": "a" * 2001}, "query"),
        ],
    )
    def test_names_a_wrong_field(self, api: TestClient, members: dict[str, Any], field: str):
        body = {"query_type": "sql", "query": "SELECT 1", **members}
        answer = api.post("/data/query", json=body)
        assert answer.status_code == 422
        assert error_of(answer)["code"] == "validation_failed"
        assert error_of(answer)["details"][0]["field"] == field
        assert field in error_of(answer)["message"]

    def test_refuses_what_is_no_json(self, api: TestClient):
        answer = api.post("/data/query", content=b"{", headers={"content-type": "application/json"})
        assert (answer.status_code, error_of(answer)["code"]) == (400, "invalid_request")

    def test_a_key_comes_before_the_body(self, anonymous_client: TestClient):
        assert anonymous_client.post("/data/query", content=b"{").status_code == 401

    def test_a_mistake_says_where_and_what_was_meant(self, sql: Ask):
        answer = sql("SELECT region,\n  amout FROM table0")
        assert answer.status_code == 422
        message = error_of(answer)["message"]
        assert "line 2, column 3" in message
        assert 'did you mean "amount"?' in message
        assert error_of(answer)["details"][0]["field"] == "query"

    @pytest.mark.parametrize(
        "query",
        [
            "DROP TABLE table0",
            "SELECT 1; SELECT 2",
            "SELECT * FROM read_csv('/etc/passwd')",
            "COPY table0 TO 'x.csv'",
            "SELECT * FROM duckdb_settings()",
        ],
    )
    def test_what_a_query_may_not_do_is_refused(self, sql: Ask, query: str):
        assert sql(query).status_code == 422

    def test_too_much_memory_is_refused_and_the_session_goes_on(self, sql: Ask):
        answer = sql("SELECT list(a.range) FROM range(100000000) a, range(100) b")
        assert answer.status_code == 422
        assert "memory" in error_of(answer)["message"]
        assert sql("SELECT 1").json()["rows"] == [[1]]


class TestWhereAQueryGoes:
    def test_with_no_session_it_says_how_to_open_one(self, sql: Ask):
        answer = sql("SELECT 1")
        assert answer.status_code == 400
        assert "POST /data/sessions" in error_of(answer)["message"]

    def test_to_the_default_then_to_the_newest(
        self, api: TestClient, model_side: ModelSide, sql: Ask, clock: FrozenClock
    ):
        first, second = (model_side.upload(f"n\n{number}\n") for number in (1, 2))
        default = api.post("/data/use-upload", json={"upload_id": first}).json()
        clock.advance(seconds=1)
        api.post("/data/sessions", json={"upload_id": second})
        assert sql("SELECT n FROM table0").json()["rows"] == [[1]]
        api.delete(f"/data/sessions/{default['session_id']}")
        assert sql("SELECT n FROM table0").json()["rows"] == [[2]]

    def test_an_ended_session_is_a_conflict(
        self, api: TestClient, session: dict[str, Any], sql: Ask
    ):
        session_id = session["session_id"]
        assert sql("SELECT 1", session_id=session_id).status_code == 200
        api.delete(f"/data/sessions/{session_id}")
        answer = sql("SELECT 1", session_id=session_id)
        assert (answer.status_code, error_of(answer)["code"]) == (409, "resource_conflict")

    def test_an_expired_session_is_a_conflict(
        self, session: dict[str, Any], sql: Ask, clock: FrozenClock
    ):
        clock.advance(hours=24)
        assert sql("SELECT 1", session_id=session["session_id"]).status_code == 409


class TestResources:
    def test_ending_a_session_ends_its_process(
        self, api: TestClient, session: dict[str, Any], sql: Ask, pool: Pool
    ):
        sql("SELECT 1")
        alive = pool.alive
        api.delete(f"/data/sessions/{session['session_id']}")
        assert pool.alive == alive - 1

    def test_deleting_the_upload_does_so_too(
        self, api: TestClient, session: dict[str, Any], sql: Ask, pool: Pool
    ):
        sql("SELECT 1")
        alive = pool.alive
        assert api.delete(f"/uploads/{session['upload_id']}").status_code == 200
        assert pool.alive == alive - 1

    def test_a_session_that_another_process_ended_is_released_at_the_next_query(
        self, container: Container, session: dict[str, Any], sql: Ask, pool: Pool
    ):
        sql("SELECT 1")
        alive = pool.alive
        with container.database.transaction(ALL_ACCOUNTS) as db:
            db.execute(update(SessionRecord).values(ended_at=container.clock.now(), slot=None))
        assert sql("SELECT 1", session_id=session["session_id"]).status_code == 409
        assert pool.alive == alive - 1


@pytest.mark.usefixtures("session")
class TestRate:
    def test_thirty_a_minute_then_a_wait(self, sql: Ask, clock: FrozenClock):
        for number in range(30):
            answer = sql("SELECT 1")
            assert answer.status_code == 200
            assert answer.headers["X-RateLimit-Remaining"] == str(29 - number)
        refused = sql("SELECT 1")
        assert refused.status_code == 429
        assert error_of(refused)["code"] == "rate_limited"
        assert refused.headers["X-RateLimit-Limit"] == "30"
        assert 0 < int(refused.headers["Retry-After"]) <= 61
        clock.advance(seconds=60)
        assert sql("SELECT 1").status_code == 200

    def test_each_session_has_its_own(self, api: TestClient, session: dict[str, Any], sql: Ask):
        other = api.post("/data/sessions", json={"upload_id": session["upload_id"]}).json()
        one = sql("SELECT 1", session_id=session["session_id"])
        two = sql("SELECT 1", session_id=other["session_id"])
        assert one.headers["X-RateLimit-Remaining"] == two.headers["X-RateLimit-Remaining"]

    def test_the_accounts_own_rate_holds_too(
        self, as_key: Ask, make_key: Ask, session: dict[str, Any]
    ):
        basic = as_key(make_key(tier=Tier.BASIC))
        body = {"query_type": "sql", "query": "SELECT 1", "session_id": session["session_id"]}
        answer = basic.post("/data/query", json=body)
        assert answer.headers["X-RateLimit-Limit"] == "30"


class TestTime:
    @pytest.fixture
    def hurry(self, container: Container) -> Callable[[float], None]:
        """Gives queries so many seconds from now on."""

        def give(seconds: float) -> None:
            limits = replace(LIMITS, query_seconds=seconds)
            queries = container.service(Queries)
            sessions = container.service(Sessions)
            queries.limits, queries.query_runner = (
                limits,
                QueryRunner(sessions, container.service(Catalogs).infer, limits),
            )

        return give

    @pytest.mark.usefixtures("session")
    def test_a_query_is_stopped_when_its_time_is_over(
        self, sql: Ask, hurry: Callable[[float], None]
    ):
        hurry(1.0)
        answer = sql(SLOW)
        assert (answer.status_code, error_of(answer)["code"]) == (503, "service_unavailable")
        hurry(LIMITS.query_seconds)
        assert sql("SELECT 1").json()["rows"] == [[1]]

    def test_other_requests_write_while_a_query_runs(
        self, api: TestClient, session: dict[str, Any], sql: Ask, pool: Pool
    ):
        answers: list[Any] = []
        running = threading.Thread(target=lambda: answers.append(sql(SLOW)))
        running.start()
        while not pool._running:
            assert running.is_alive()
        renamed = api.post("/data/sessions", json={"upload_id": session["upload_id"]})
        assert renamed.status_code == 200
        assert running.is_alive()
        assert api.delete(f"/data/sessions/{session['session_id']}").status_code == 200
        api.delete(f"/data/sessions/{renamed.json()['session_id']}")
        running.join()
        [stopped] = answers
        assert (stopped.status_code, error_of(stopped)["code"]) == (409, "resource_conflict")
        again = sql("SELECT 1", session_id=session["session_id"])
        assert (again.status_code, error_of(again)["message"]) == (
            409,
            error_of(stopped)["message"],
        )
        assert "Retry-After" not in stopped.headers


class TestHistory:
    def test_newest_first_failed_ones_included(
        self, api: TestClient, session: dict[str, Any], sql: Ask
    ):
        good, bad = sql("SELECT 1 AS one").json(), sql("SELECT nothing")
        path = f"/data/sessions/{session['session_id']}/queries"
        listed = api.get(path).json()
        failed, done = listed["queries"]
        assert failed["error"] == error_of(bad)["message"]
        assert (failed["generated_sql"], failed["result_type"]) == (None, None)
        assert failed["execution_time_ms"] > 0
        assert done == {
            "query_id": good["query_id"],
            "query_type": "sql",
            "query": "SELECT 1 AS one",
            "executed_at": "2026-03-02T12:00:00Z",
            "execution_time_ms": good["execution_time_ms"],
            "result_type": "table",
            "generated_sql": "SELECT 1 AS one",
            "interpretation": None,
            "row_count": 1,
            "verified": False,
            "error": None,
            "question": None,
            "confidence": None,
            "read_by": [],
            "warnings": [],
        }
        assert listed["pagination"] == {"total": 2, "limit": 100, "offset": 0, "has_more": False}

    def test_an_account_s_oldest_entries_go(
        self,
        api: TestClient,
        container: Container,
        session: dict[str, Any],
        sql: Ask,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(service, "KEPT_QUERIES_PER_ACCOUNT", 2)
        asked = [sql(f"SELECT {number}").json()["query_id"] for number in range(4)]
        container.service(Queries).flush()
        duty = next(duty for duty in container.duties if duty.name == "queries.sweep")
        with container.database.transaction(ALL_ACCOUNTS) as db:
            duty.carry_out(db)
        path = f"/data/sessions/{session['session_id']}/queries"
        left = [query["query_id"] for query in api.get(path).json()["queries"]]
        assert left == asked[:1:-1]

    def test_outlives_the_session(self, api: TestClient, session: dict[str, Any], sql: Ask):
        sql("SELECT 1")
        api.delete(f"/data/sessions/{session['session_id']}")
        path = f"/data/sessions/{session['session_id']}/queries"
        assert api.get(path).json()["pagination"]["total"] == 1

    def test_a_query_of_data_that_was_just_deleted_says_that_its_session_has_ended(
        self,
        api: TestClient,
        session: dict[str, Any],
        sql: Ask,
        monkeypatch: pytest.MonkeyPatch,
    ):
        count = Queries.count

        def meanwhile(queries: Queries, facts: Any) -> Any:
            api.delete(f"/uploads/{session['upload_id']}")
            api.delete(f"/trash/{session['upload_id']}")
            return count(queries, facts)

        monkeypatch.setattr(Queries, "count", meanwhile)
        answer = sql("SELECT 1", session_id=session["session_id"])
        assert (answer.status_code, error_of(answer)["code"]) == (409, "resource_conflict")
        assert session["session_id"] in error_of(answer)["message"]


class TestDisconnect:
    def test_a_client_that_goes_away_stops_its_query(
        self, api: TestClient, session: dict[str, Any]
    ):
        body = json.dumps({"query_type": "sql", "query": SLOW}).encode()
        coming = [{"type": "http.request", "body": body}, {"type": "http.disconnect"}]
        key = api.headers["x-api-key"].encode()
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/data/query",
            "query_string": b"",
            "headers": [(b"x-api-key", key), (b"content-type", b"application/json")],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "scheme": "http",
            "state": {},
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return coming.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        started = monotonic()
        call: Any = api.app(scope, receive, send)
        asyncio.run(call)
        assert monotonic() - started < LIMITS.query_seconds
        path = f"/data/sessions/{session['session_id']}/queries"
        assert api.get(path).json()["queries"][0]["error"] == "The query was called off."
