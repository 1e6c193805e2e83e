"""Values of a real database, from its table to every answer: none is changed on the way."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.connections.servers import Server

MONEY = "12345678901234567.89"
TABLE = (
    "drop table if exists paid;"
    "create table paid (id int, amount numeric(20,2), price numeric, paid_on timestamptz,"
    " photo bytea);"
    "insert into paid select n, case when n = 1 then 12345678901234567.89 else n * 1.25 end,"
    " n * 0.5, timestamptz '2024-01-31 22:30:00-02' + n * interval '1 day',"
    " decode('00ff', 'hex') from generate_series(1, 90) n"
)
pytestmark = pytest.mark.usefixtures("in_process_children")


@pytest.fixture(scope="module")
def paid(postgresql: Server) -> Server:
    postgresql.run(TABLE)
    return postgresql


@pytest.fixture
def upload(
    paid: Server, api: TestClient, connect: Callable[..., str], bring_in: Callable[..., Any]
) -> dict[str, Any]:
    """The upload that the table became."""
    standing = bring_in(connect(paid.body()), table="paid", dataset_name="paid")
    assert standing["status"] == "completed", standing
    return dict(api.get(f"/uploads/{standing['upload_id']}").json())


def test_values_stay_what_they_are_to_every_answer(
    upload: dict[str, Any], api: TestClient, worker: Callable[[], int]
):
    file = upload["files"][0]
    assert file["notices"] == [
        "The times in paid_on are moments; they are kept in UTC.",
        "The bytes in photo are kept as hexadecimal digits.",
    ]
    preview = api.get(file["preview_url"], params={"limit": 1}).json()["data"]
    assert preview == [["1", MONEY, "0.5", "2024-02-02T00:30:00Z", "00ff"]]

    session = api.post("/data/sessions", json={"upload_id": upload["upload_id"]}).json()
    asked = {"session_id": session["session_id"], "query_type": "sql"}
    query = "SELECT amount, price, paid_on, photo FROM paid WHERE id < 3 ORDER BY id"
    answer = api.post("/data/query", json=asked | {"query": query})
    assert answer.status_code == 200, answer.text
    rows = answer.json()["rows"]
    assert rows == [
        [MONEY, 0.5, "2024-02-02T00:30:00Z", "00ff"],
        [2.5, 1.0, "2024-02-03T00:30:00Z", "00ff"],
    ]
    total = api.post("/data/query", json=asked | {"query": "SELECT sum(amount) FROM paid"})
    assert total.json()["rows"] == [["12345678901239685.39"]]

    made = api.post("/data/export", json={"upload_id": upload["upload_id"], "format": "json"})
    worker()
    export = api.get(f"/data/export/{made.json()['export_id']}").json()
    first = api.get(export["files"][0]["download_url"]).json()[0]
    assert (first["amount"], first["price"]) == (MONEY, 0.5)
    assert (first["paid_on"], first["photo"]) == ("2024-02-02T00:30:00Z", "00ff")


def test_questions_read_moments_as_dates(upload: dict[str, Any], api: TestClient):
    session = api.post("/data/sessions", json={"upload_id": upload["upload_id"]}).json()
    body = {
        "session_id": session["session_id"],
        "query_type": "natural_language",
        "query": "How many rows per month?",
    }
    answer = api.post("/data/query", json=body).json()
    assert [row[-1] for row in answer["rows"]] == [28, 31, 30, 1], json.dumps(answer)
