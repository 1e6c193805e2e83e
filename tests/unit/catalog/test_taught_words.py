"""Words that verified questions teach, over HTTP: shown with their origin, and taken back."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.catalog.test_catalog_api import column

Answer = dict[str, Any]
Ask = Callable[..., Any]
Read = Callable[..., Answer]
Verify = Callable[..., str]
BY_CITY = "SELECT city, sum(quantity) FROM table0 GROUP BY city"


@pytest.fixture
def verify(api: TestClient, ask: Ask) -> Verify:
    """Asks a question and says which SQL is right for it; answers the query's id."""

    def send(question: str, sql: str) -> str:
        answer = ask(question).json()
        session = api.post("/data/use-upload", json={"upload_id": _upload(api)}).json()
        where = f"/data/sessions/{session['session_id']}/queries"
        query = answer.get("query_id") or api.get(where).json()["queries"][0]["query_id"]
        told = api.post(f"/data/queries/{query}/verify", json={"sql": sql})
        assert told.status_code == 200, told.text
        return str(query)

    return send


def _upload(api: TestClient) -> str:
    return str(api.get("/data/catalog/shop").json()["upload_id"])


def test_a_word_is_learnt_shown_used_and_taken_back(
    verify: Verify, read: Read, ask: Ask, api: TestClient
) -> None:
    assert ask("number of orders by burgh").status_code == 422
    query = verify("total quantity by burgh", BY_CITY)
    learnt = {"words": "burgh", "origin": "verified_question", "query_id": query, "value": None}
    assert column(read(), "table0", "city")["synonyms"] == [learnt]
    answer = ask("total quantity by burgh and status")
    assert answer.status_code == 200, answer.text
    assert answer.json()["columns"][:2] == ["city", "status"]
    assert api.delete(f"/data/queries/{query}/verify").status_code == 200
    assert column(read(), "table0", "city")["synonyms"] == []


def test_a_word_for_a_value_is_learnt(verify: Verify, read: Read, ask: Ask) -> None:
    assert "5.0" not in ask("average quantity of scrapped rows").text
    query = verify(
        "total quantity of scrapped rows",
        "SELECT sum(quantity) FROM table0 WHERE status = 'cancelled'",
    )
    (learnt,) = column(read(), "table0", "status")["synonyms"]
    assert (learnt["words"], learnt["value"], learnt["query_id"]) == (
        "scrapped",
        "cancelled",
        query,
    )
    # the row that was scrapped, whether it is answered or offered first
    assert '"rows":[[5.0]]' in ask("average quantity of scrapped rows").text


def test_verifying_again_says_the_same_and_other_sql_something_else(
    verify: Verify, read: Read, api: TestClient
) -> None:
    query = verify("total quantity by burgh", BY_CITY)
    again = {"sql": BY_CITY}
    assert api.post(f"/data/queries/{query}/verify", json=again).status_code == 200
    assert [one["words"] for one in column(read(), "table0", "city")["synonyms"]] == ["burgh"]
    by_status = {"sql": BY_CITY.replace("city", "status")}
    assert api.post(f"/data/queries/{query}/verify", json=by_status).status_code == 200
    assert column(read(), "table0", "city")["synonyms"] == []
    assert [one["words"] for one in column(read(), "table0", "status")["synonyms"]] == ["burgh"]


def test_nothing_is_learnt_where_it_is_not_certain(verify: Verify, read: Read) -> None:
    verify("total gubbins by burgh", BY_CITY)
    words = [
        one["words"]
        for table in read()["tables"]
        for each in table["columns"]
        for one in each["synonyms"]
    ]
    assert words == []


def test_a_repeated_request_is_answered_alike(verify: Verify, read: Read, api: TestClient) -> None:
    query = verify("total quantity by burgh", BY_CITY)
    key = {"Idempotency-Key": "again"}
    one, other = (
        api.post(f"/data/queries/{query}/verify", json={"sql": BY_CITY}, headers=key)
        for _ in range(2)
    )
    assert (one.status_code, one.json()) == (other.status_code, other.json())
    assert [each["words"] for each in column(read(), "table0", "city")["synonyms"]] == ["burgh"]


def test_a_metric_takes_the_word(
    verify: Verify, ask: Ask, correct: Callable[..., Answer], read: Read
) -> None:
    correct(metrics={"revenue": {"table": "table0", "expression": "sum(quantity * unit_price)"}})
    verify(
        "gubbins by city", "SELECT city, sum(quantity * unit_price) AS g FROM table0 GROUP BY city"
    )
    assert read()["metrics"][0]["synonyms"] == ["gubbins"]
    assert ask("total gubbins by status").status_code == 200
