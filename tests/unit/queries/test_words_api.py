"""Questions in words over HTTP: tables, charts, what is not understood, what was verified."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide
from tests.unit.queries.conftest import SALES, table_of

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.limits.contract import LIMITS
from modelwright.queries.service import Queries

Ask = Callable[..., Any]


@pytest.fixture
def verified(api: TestClient, session: dict[str, Any], ask: Ask) -> Callable[[str], dict[str, Any]]:
    """Asks a question and verifies its answer; answers the query."""

    def make(question: str) -> dict[str, Any]:
        body = dict(ask(question, session_id=session["session_id"]).json())
        answer = api.post(f"/data/queries/{body['query_id']}/verify")
        assert answer.status_code == 200, answer.text
        return body

    return make


@pytest.mark.usefixtures("session")
class TestTable:
    def test_answers_with_the_sql_and_what_was_understood(self, ask: Ask):
        body = ask("total amount by region").json()
        assert body["result_type"] == "table"
        assert ["north", 30.5] in body["rows"]
        assert body["generated_sql"].startswith("SELECT")
        assert "amount" in body["interpretation"]
        assert body["verified"] is False

    def test_figures_are_in_the_unit_that_somebody_said_of_their_column(
        self, api: TestClient, session: dict[str, Any], ask: Ask
    ):
        assert ask("total amount by region").json()["units"] is None
        columns = {"amount": {"unit": "EUR"}}
        place = f"/data/catalog/{session['upload_id']}"
        (table,) = api.get(place).json()["tables"]
        told = api.patch(place, json={"tables": {table["name"]: {"columns": columns}}})
        assert told.status_code == 200, told.text
        assert ask("total amount by region").json()["units"] == ["", "EUR"]

    def test_the_same_question_gives_the_same_sql(self, ask: Ask):
        one, two = (ask("average amount by region").json()["generated_sql"] for _ in range(2))
        assert one == two

    def test_without_may_be_cut_short(self, ask: Ask):
        short, whole = (ask(f"how many rows {word} amount").json() for word in ("w/o", "without"))
        assert short["generated_sql"] == whole["generated_sql"]
        assert "IS NULL" in short["generated_sql"]

    def test_values_are_found_in_their_columns(self, ask: Ask):
        assert ask("how many rows are in Oslo?").json()["rows"] == [[2]]

    def test_values_with_nul_in_them_are_found_and_remembered(
        self, ask: Ask, api: TestClient, model_side: ModelSide, tmp_path: Path
    ):
        path = tmp_path / "doors.csv"
        states = [*["op\0en", "shut"] * 50, "OP\0EN"]
        path.write_text("\n".join(["door,state", *(f"{n},{one}" for n, one in enumerate(states))]))
        session_id = table_of(model_side, path, api)["session_id"]
        kinds = ask("number of rows by state", session_id=session_id).json()
        assert kinds["rows"] == [["op\0en", 51], ["shut", 50]]
        assert ask("how many are op en?", session_id=session_id).json()["rows"] == [[51]]
        listed = api.get(f"/data/sessions/{session_id}/queries")
        assert listed.json()["pagination"]["total"] == 2

    def test_the_history_tells_what_was_made_of_it(
        self, ask: Ask, api: TestClient, session: dict[str, Any]
    ):
        body = ask("how many rows are in Rome?").json()
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        assert listed[0]["generated_sql"] == body["generated_sql"]
        assert listed[0]["interpretation"] == body["interpretation"]


@pytest.mark.usefixtures("session")
class TestVisualization:
    def test_bars_of_a_total(self, ask: Ask):
        body = ask("bar chart of total amount by region").json()
        assert body["result_type"] == "visualization"
        assert body["visualization_type"] == "bar_chart"
        data = body["data"]
        assert dict(zip(data["labels"], data["datasets"][0]["data"], strict=True)) == {
            "south": 70,
            "north": 30.5,
        }
        assert body["columns"][0] == "region"
        assert body["title"]
        assert "sorted" not in body["title"]

    def test_a_line_over_months_runs_forward(self, ask: Ask):
        body = ask("line chart of total amount by month").json()
        assert body["visualization_type"] == "line_chart"
        assert body["data"]["labels"] == ["2024-01-01", "2024-02-01", "2024-03-01"]
        assert body["data"]["datasets"][0]["data"] == [30.5, 30, 40]

    def test_a_pie(self, ask: Ask):
        body = ask("pie chart of region").json()
        assert body["visualization_type"] == "pie_chart"
        assert sum(body["data"]["datasets"][0]["data"]) == 5

    def test_is_in_the_history(self, ask: Ask, api: TestClient, session: dict[str, Any]):
        ask("bar chart of total amount by region")
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        assert listed[0]["result_type"] == "visualization"

    def test_of_a_real_table(self, shared: Path, model_side: ModelSide, api: TestClient, ask: Ask):
        opened = table_of(model_side, shared / "tabular" / "taxis.csv", api)
        body = ask("histogram of fare", session_id=opened["session_id"]).json()
        assert body["visualization_type"] == "histogram"
        assert body["data"]["labels"][0] == "0 to 5"
        assert sum(body["data"]["datasets"][0]["data"]) == 6433


@pytest.mark.usefixtures("session")
class TestNotUnderstood:
    def test_is_refused_with_suggestions_that_work(self, ask: Ask, api: TestClient):
        answer = ask("colourless green ideas sleep furiously")
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["code"] == "validation_failed"
        tries = [one["message"] for one in error["details"] if one["field"] == "suggestion"]
        assert tries
        for question in tries:
            assert question in error["message"]
            assert ask(question).status_code == 200

    def test_is_in_the_history(self, ask: Ask, api: TestClient, session: dict[str, Any]):
        message = ask("colourless green ideas sleep furiously").json()["error"]["message"]
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        assert listed[0]["error"] == message


@pytest.mark.usefixtures("session")
class TestFollows:
    def test_is_read_as_one_whole_question(self, ask: Ask):
        first = ask("total amount by region").json()
        body = ask("and only in February 2024?", follows=first["query_id"]).json()
        assert body["question"] == "total amount by region in February 2024"
        assert body["rows"] == [["south", 30]]

    def test_goes_on_from_what_went_on(self, ask: Ask):
        first = ask("total amount by region").json()
        second = ask("by city", follows=first["query_id"]).json()
        third = ask("what about the average?", follows=second["query_id"]).json()
        assert third["question"] == "average amount by city"

    def test_a_period_is_moved_from_that_of_its_own_day(
        self, session: dict[str, Any], ask: Ask, api: TestClient
    ):
        def asked_last() -> dict[str, Any]:
            listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()
            return dict(listed["queries"][0])

        ask("total amount last month")  # of February 2026, where the clock of the tests stands
        ask("and the month before?", follows=asked_last()["query_id"])
        assert asked_last()["question"] == "total amount January 2026"

    def test_a_question_of_its_own_stays_as_it_is(self, ask: Ask):
        first = ask("total amount by region").json()
        body = ask("how many rows are in Oslo?", follows=first["query_id"]).json()
        assert (body["question"], body["rows"]) == ("how many rows are in Oslo?", [[2]])

    def test_what_changes_nothing_is_refused(self, ask: Ask):
        first = ask("total amount by region").json()
        answer = ask("hmm, nice", follows=first["query_id"])
        assert answer.status_code == 422
        assert "not clear" in answer.json()["error"]["message"]

    @pytest.mark.parametrize("name", ["qry_none", "x"])
    def test_a_query_that_is_not_there_is_refused(self, ask: Ask, name: str):
        answer = ask("by city", follows=name)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"] == "follows"

    def test_sql_is_gone_on_from_by_nobody(self, ask: Ask):
        first = ask("SELECT 1", "sql").json()
        assert ask("by city", follows=first["query_id"]).status_code == 422


STAYS = "came,went,place,fee\n" + "".join(
    f"2024-{1 + at % 12:02}-03,2024-{1 + (at + 1) % 12:02}-07,{['Oslo', 'Rome', 'Riga'][at % 3]},"
    f"{10 + at * 7 % 23}\n"
    for at in range(60)
)


class TestGoingOnFromChoices:
    """A question is answered with choices, one is taken, and the conversation goes on from it."""

    @pytest.fixture
    def stays(self, api: TestClient, model_side: ModelSide) -> str:
        body = {"upload_id": model_side.upload(STAYS, name="stays")}
        return str(api.post("/data/sessions", json=body).json()["session_id"])

    @pytest.fixture
    def offered(self, ask: Ask, stays: str) -> Callable[..., list[dict[str, Any]]]:
        def make(question: str, **more: str) -> list[dict[str, Any]]:
            answer = ask(question, session_id=stays, **more)
            assert answer.status_code == 422, answer.json()
            told = answer.json()["error"]["details"]
            return [one for one in told if one["field"] == "choice"]

        return make

    @pytest.fixture
    def take(self, ask: Ask, stays: str) -> Callable[..., dict[str, Any]]:
        def make(question: str, choices: list[dict[str, Any]], column: str) -> dict[str, Any]:
            named = next(one for one in choices if f'"{column}"' in one["generated_sql"])
            answer = ask(question, session_id=stays, choice_id=named["choice_id"])
            assert answer.status_code == 200, answer.json()
            return dict(answer.json())

        return make

    QUESTION = "total fee by month"

    def test_what_follows_a_choice_that_was_taken_is_of_it(
        self, ask: Ask, stays: str, offered: Callable[..., Any], take: Callable[..., Any]
    ):
        first = take(self.QUESTION, offered(self.QUESTION), "went")
        second = ask("only in Oslo", session_id=stays, follows=first["query_id"]).json()
        assert '"went"' in second["generated_sql"]
        assert "'Oslo'" in second["generated_sql"]

    @pytest.mark.parametrize("column", ["came", "went"])
    def test_what_was_taken_is_not_doubted(
        self, offered: Callable[..., Any], take: Callable[..., Any], column: str
    ):
        assert take(self.QUESTION, offered(self.QUESTION), column)["warnings"] == []

    def test_the_query_that_offered_it_is_gone_on_from_as_well(
        self, ask: Ask, stays: str, offered: Callable[..., Any], take: Callable[..., Any]
    ):
        choices = offered(self.QUESTION)
        take(self.QUESTION, choices, "went")
        asked = choices[0]["choice_id"].rpartition("-")[0]
        second = ask("only in Oslo", session_id=stays, follows=asked).json()
        assert '"went"' in second["generated_sql"]

    def test_a_choice_of_a_follow_up_is_of_the_whole_question(
        self, ask: Ask, stays: str, offered: Callable[..., Any], take: Callable[..., Any]
    ):
        first = ask("total fee by place", session_id=stays).json()
        then = "only in March 2024"
        second = take(then, offered(then, follows=first["query_id"]), "came")
        assert second["question"] == "total fee by place in March 2024"
        third = ask("the average instead", session_id=stays, follows=second["query_id"]).json()
        assert third["question"] == "average fee by place in March 2024"
        assert '"came"' in third["generated_sql"]

    def test_a_choice_of_a_follow_up_is_verified_for_the_whole_question(
        self,
        ask: Ask,
        api: TestClient,
        stays: str,
        offered: Callable[..., Any],
        take: Callable[..., Any],
    ):
        first = ask("total fee by place", session_id=stays).json()
        then = "only in March 2024"
        second = take(then, offered(then, follows=first["query_id"]), "came")
        where = f"/data/queries/{second['query_id']}/verify"
        assert api.post(where).json()["query"] == "total fee by place in March 2024"


class TestGoingOnFromATakenReading:
    """What was asked back once is not asked back of what follows it."""

    QUESTION = "total price by city of the customer"
    ORDERS = "order_id,customer_id,price,shipping,city\n" + "".join(
        f"{i},{1 + i % 40},{10 + i * 7 % 190},{('express', 'standard')[i % 2]},"
        f"{('Oslo', 'Rome', 'Bern')[i % 3]}\n"
        for i in range(1, 241)
    )
    CUSTOMERS = "customer_id,name,city\n" + "".join(
        f"{i},C{i},{('Oslo', 'Rome', 'Bern', 'Lyon')[i % 4]}\n" for i in range(1, 51)
    )

    @pytest.fixture
    def shop(self, api: TestClient, model_side: ModelSide) -> str:
        named = {"orders": self.ORDERS, "customers": self.CUSTOMERS}
        body = {"dataset_ids": [model_side.upload(text, name=one) for one, text in named.items()]}
        return str(api.post("/data/sessions", json=body).json()["session_id"])

    @pytest.mark.parametrize("is_joined", [True, False])
    def test_it_is_of_the_one_that_was_taken(self, ask: Ask, shop: str, is_joined: bool):
        told = ask(self.QUESTION, session_id=shop).json()["error"]["details"]
        choices = [one for one in told if one["field"] == "choice"]
        taken = next(one for one in choices if ("JOIN" in one["generated_sql"]) is is_joined)
        first = ask(self.QUESTION, session_id=shop, choice_id=taken["choice_id"]).json()
        for said, has in [("only express", "'express'"), ("what about the average?", "avg(")]:
            answer = ask(said, session_id=shop, follows=first["query_id"])
            assert answer.status_code == 200, answer.json()
            sql = answer.json()["generated_sql"]
            assert ("JOIN" in sql, has in sql.replace("AVG", "avg")) == (is_joined, True)


@pytest.mark.usefixtures("session")
def test_what_points_at_nothing_is_refused(ask: Ask):
    answer = ask("how many are these")
    assert answer.status_code == 422
    assert "follows" in answer.json()["error"]["message"]


class TestVerified:
    def test_answers_the_same_question_from_then_on(
        self, verified: Callable[[str], dict[str, Any]], ask: Ask
    ):
        first = verified("Total amount by region?")
        again = ask("total   AMOUNT by region").json()
        assert (again["verified"], again["generated_sql"]) == (True, first["generated_sql"])
        assert again["interpretation"] == first["interpretation"]
        assert again["rows"] == first["rows"]

    def test_is_listed(self, verified: Callable[[str], dict[str, Any]], api: TestClient):
        query = verified("total amount by region")
        listed = api.get("/data/verified-queries").json()
        assert listed["verified_queries"] == [
            {
                "query_id": query["query_id"],
                "query": "total amount by region",
                "generated_sql": query["generated_sql"],
                "interpretation": query["interpretation"],
                "verified": True,
                "verified_at": "2026-03-02T12:00:00Z",
            }
        ]
        assert listed["pagination"]["total"] == 1

    def test_holds_for_the_next_version_of_the_dataset(
        self,
        verified: Callable[[str], dict[str, Any]],
        model_side: ModelSide,
        api: TestClient,
        ask: Ask,
    ):
        verified("total amount by region")
        newer = model_side.upload(SALES + "north,Oslo,100,2024-04-01\n", name="sales")
        opened = api.post("/data/sessions", json={"upload_id": newer}).json()
        body = ask("total amount by region", session_id=opened["session_id"]).json()
        assert body["verified"] is True
        assert ["north", 130.5] in body["rows"]

    def test_does_not_hold_for_another_dataset(
        self,
        verified: Callable[[str], dict[str, Any]],
        model_side: ModelSide,
        api: TestClient,
        ask: Ask,
    ):
        verified("total amount by region")
        opened = api.post("/data/sessions", json={"upload_id": model_side.upload(SALES)}).json()
        body = ask("total amount by region", session_id=opened["session_id"]).json()
        assert body["verified"] is False

    def test_sql_that_no_longer_runs_is_passed_over(
        self,
        verified: Callable[[str], dict[str, Any]],
        model_side: ModelSide,
        api: TestClient,
        ask: Ask,
    ):
        verified("how many rows are there")
        other = model_side.upload("area,amount\nx,1\n", "a\n1\n", name="sales")
        opened = api.post("/data/sessions", json={"upload_id": other}).json()
        answer = ask("how many rows are there", session_id=opened["session_id"])
        assert answer.status_code == 200

    def test_a_chart_stays_a_chart(self, verified: Callable[[str], dict[str, Any]], ask: Ask):
        first = verified("bar chart of total amount by region")
        again = ask("bar chart of total amount by region").json()
        assert (again["verified"], again["data"]) == (True, first["data"])

    def test_a_later_answer_takes_the_place_of_an_earlier_one(
        self, verified: Callable[[str], dict[str, Any]], api: TestClient
    ):
        verified("total amount by region")
        second = verified("Total amount by region")
        listed = api.get("/data/verified-queries").json()["verified_queries"]
        assert [one["query_id"] for one in listed] == [second["query_id"]]

    def test_verifying_twice_is_verifying_once(
        self, verified: Callable[[str], dict[str, Any]], api: TestClient
    ):
        query = verified("total amount by region")
        answer = api.post(f"/data/queries/{query['query_id']}/verify")
        assert answer.json()["verified"] is True

    def test_can_be_taken_back(
        self, verified: Callable[[str], dict[str, Any]], api: TestClient, ask: Ask
    ):
        query = verified("total amount by region")
        path = f"/data/queries/{query['query_id']}/verify"
        answer = api.delete(path)
        assert answer.json() == {"query_id": query["query_id"], "verified": False}
        assert ask("total amount by region").json()["verified"] is False
        assert api.delete(path).status_code == 200

    def test_can_be_taken_back_by_an_answer_it_gave(
        self, verified: Callable[[str], dict[str, Any]], api: TestClient, ask: Ask
    ):
        verified("total amount by region")
        again = ask("total amount by region").json()
        api.delete(f"/data/queries/{again['query_id']}/verify")
        assert ask("total amount by region").json()["verified"] is False

    def test_sql_is_no_question(self, session: dict[str, Any], api: TestClient, ask: Ask):
        query_id = ask("SELECT 1", "sql").json()["query_id"]
        assert api.post(f"/data/queries/{query_id}/verify").status_code == 422

    def test_a_failed_query_has_nothing_to_verify(
        self, session: dict[str, Any], api: TestClient, ask: Ask
    ):
        ask("colourless green ideas sleep furiously")
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        answer = api.post(f"/data/queries/{listed[0]['query_id']}/verify")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")

    def test_a_query_of_deleted_data_has_nothing_to_verify(
        self, session: dict[str, Any], model_side: ModelSide, api: TestClient, ask: Ask
    ):
        query_id = ask("total amount by region").json()["query_id"]
        newer = model_side.upload(SALES, name="sales")
        api.delete(f"/uploads/{session['upload_id']}")
        path = f"/data/queries/{query_id}/verify"
        assert api.post(path).json()["verified"] is True
        api.delete(path)
        api.delete(f"/uploads/{newer}")
        answer = api.post(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")
        assert "deleted" in answer.json()["error"]["message"]


class TestLongQuestions:
    LONG = "average of amount by region and city over 5 and " * 40

    @pytest.fixture
    def known(self, ask: Ask, session: dict[str, Any]) -> dict[str, Any]:
        """A session whose tables were looked at before time runs short."""
        assert ask("how many rows are there?").status_code == 200
        return session

    def test_a_reading_ends_with_the_time_of_its_query(
        self, ask: Ask, api: TestClient, container: Container, known: dict[str, Any]
    ):
        queries = container.service(Queries)
        queries.limits = replace(LIMITS, query_seconds=0.001)
        answer = ask(self.LONG[:2000])
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "service_unavailable")
        assert "could not be read in" in answer.json()["error"]["message"]
        listed = api.get(f"/data/sessions/{known['session_id']}/queries").json()["queries"]
        assert "shorten it" in listed[0]["error"]
        queries.limits = LIMITS
        assert ask("how many rows are in Oslo?").json()["rows"] == [[2]]


class TestTeaching:
    """Right SQL is given for a question; it holds for the next day and the next version."""

    RIGHT = "SELECT city FROM table0 WHERE amount IS NULL"

    def test_corrected_sql_answers_from_then_on(
        self, session: dict[str, Any], ask: Ask, api: TestClient
    ):
        first = ask("total amount by region", session_id=session["session_id"]).json()
        answer = api.post(f"/data/queries/{first['query_id']}/verify", json={"sql": self.RIGHT})
        assert answer.status_code == 200, answer.text
        body = ask("total amount by region").json()
        assert (body["verified"], body["rows"]) == (True, [["Riga"]])

    def test_teaches_what_was_refused(self, session: dict[str, Any], ask: Ask, api: TestClient):
        asked = "colourless green ideas sleep furiously"
        assert ask(asked, session_id=session["session_id"]).status_code == 422
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        where = f"/data/queries/{listed[0]['query_id']}/verify"
        assert api.post(where).status_code == 409
        assert api.post(where, json={"sql": self.RIGHT}).status_code == 200
        assert ask(asked).json()["rows"] == [["Riga"]]

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT * FROM elsewhere",
            "DROP TABLE table0",
            "SELECT 1; SELECT 2",
            "COPY table0 TO 'x'",
        ],
    )
    def test_sql_that_may_not_run_is_refused(
        self, session: dict[str, Any], ask: Ask, api: TestClient, sql: str
    ):
        first = ask("total amount by region", session_id=session["session_id"]).json()
        answer = api.post(f"/data/queries/{first['query_id']}/verify", json={"sql": sql})
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"] == "sql"

    def test_a_relative_date_stays_relative(
        self, session: dict[str, Any], ask: Ask, api: TestClient, clock: FrozenClock
    ):
        asked = "how many rows last month?"
        sql = (
            "SELECT count(*) FROM table0 WHERE sold_on >= DATE '2026-02-01' "
            "AND sold_on < DATE '2026-03-01'"
        )
        ask(asked, session_id=session["session_id"])
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        answer = api.post(f"/data/queries/{listed[0]['query_id']}/verify", json={"sql": sql})
        assert answer.json()["generated_sql"] == sql
        clock.advance(days=31)
        told = api.get("/data/verified-queries").json()["verified_queries"][0]["generated_sql"]
        assert "2026-03-01" in told
        assert "2026-04-01" in told

    def test_fixed_dates_for_a_relative_one_are_refused(
        self, session: dict[str, Any], ask: Ask, api: TestClient
    ):
        ask("how many rows last month?", session_id=session["session_id"])
        listed = api.get(f"/data/sessions/{session['session_id']}/queries").json()["queries"]
        where = f"/data/queries/{listed[0]['query_id']}/verify"
        sql = "SELECT count(*) FROM table0 WHERE sold_on >= DATE '2024-02-01'"
        answer = api.post(where, json={"sql": sql})
        assert answer.status_code == 422
        assert "last month" in answer.json()["error"]["message"]

    def test_a_choice_and_sql_are_not_given_at_once(
        self, session: dict[str, Any], ask: Ask, api: TestClient
    ):
        first = ask("total amount by region", session_id=session["session_id"]).json()
        body = {"sql": self.RIGHT, "choice_id": f"{first['query_id']}-1"}
        answer = api.post(f"/data/queries/{first['query_id']}/verify", json=body)
        assert answer.status_code == 422

    def test_a_choice_that_was_not_offered_is_refused(
        self, session: dict[str, Any], ask: Ask, api: TestClient
    ):
        first = ask("total amount by region", session_id=session["session_id"]).json()
        body = {"choice_id": f"{first['query_id']}-1"}
        answer = api.post(f"/data/queries/{first['query_id']}/verify", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0]["field"] == "choice_id"
