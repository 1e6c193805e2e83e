"""Tables that were brought in from databases stand beside each other in one session."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.connections.servers import Server

pytestmark = pytest.mark.usefixtures("in_process_children")
SALES = """
drop table if exists sales;
create table sales (sale_id int primary key, buyer_id int, amount numeric(20,2));
insert into sales select n, 1 + n % 3, n * 1.25 from generate_series(1, 30) n;
update sales set amount = 12345678901234567.89 where sale_id = 30;
"""
BUYERS = """
drop table if exists buyers;
create table buyers (buyer_id int primary key, city varchar(20));
insert into buyers values (1, 'Oslo'), (2, 'Rome'), (3, 'Bern');
"""
RIGHT = [["Bern", 193.75], ["Oslo", "12345678901234736.64"], ["Rome", 181.25]]
BringIn = Callable[..., dict[str, Any]]


@pytest.fixture
def two(
    postgresql: Server, mariadb: Server, connect: Callable[..., str], bring_in: BringIn
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two ingestions: sales of a PostgreSQL server, and their buyers of a MariaDB one."""
    postgresql.run(SALES)
    mariadb.run(f"use shop;{BUYERS}")
    sales = connect(postgresql.body() | {"name": "sales"})
    buyers = connect(mariadb.body() | {"name": "buyers"})
    return (
        bring_in(sales, table="sales", dataset_name="sales"),
        bring_in(buyers, table="buyers", dataset_name="buyers"),
    )


@pytest.fixture
def ask(api: TestClient) -> Callable[..., Any]:
    def send(query: str, kind: str = "sql", **members: Any) -> Any:
        return api.post("/data/query", json={"query_type": kind, "query": query, **members})

    return send


@pytest.mark.parametrize("named_by", ["dataset", "upload"])
def test_tables_of_two_databases_are_joined_in_sql_and_in_words(
    api: TestClient,
    two: tuple[dict[str, Any], dict[str, Any]],
    ask: Callable[..., Any],
    named_by: str,
):
    names = ["sales", "buyers"] if named_by == "dataset" else [one["upload_id"] for one in two]
    opened = api.post("/data/sessions", json={"dataset_ids": names})
    assert opened.status_code == 200, opened.text
    assert [one["table"] for one in opened.json()["tables"]] == ["sales", "buyers"]
    joined = ask(
        "SELECT city, sum(amount) FROM sales JOIN buyers USING (buyer_id) GROUP BY city ORDER BY 1"
    )
    assert joined.status_code == 200, joined.text
    assert joined.json()["rows"] == RIGHT
    in_words = ask("total amount by city", "natural_language")
    assert in_words.status_code == 200, in_words.text
    assert sorted(in_words.json()["rows"]) == RIGHT


def test_a_session_over_both_says_when_one_was_brought_in_again_with_another_column(
    api: TestClient,
    postgresql: Server,
    two: tuple[dict[str, Any], dict[str, Any]],
    ask: Callable[..., Any],
    worker: Callable[[], int],
):
    api.post("/data/sessions", json={"dataset_ids": ["sales", "buyers"]})
    postgresql.run("alter table sales add discount numeric(4,2) default 0.25")
    api.post(f"/database/ingest/{two[0]['ingestion_id']}/retrigger")
    worker()
    query = "SELECT city, sum(discount) FROM sales JOIN buyers USING (buyer_id) GROUP BY city"
    refused = ask(query)
    assert refused.status_code == 422
    said = refused.json()["error"]["message"]
    assert "This session holds sales v1.0; there is v2.0 now." in said
    newest = api.get(f"/database/ingest/{two[0]['ingestion_id']}").json()["upload_id"]
    assert f"POST /data/sessions with dataset_ids ['{newest}', '{two[1]['upload_id']}']" in said
    assert "buyers v1.0" not in said
    api.post("/data/sessions", json={"dataset_ids": ["sales", "buyers"]})
    assert sorted(ask(query).json()["rows"]) == [["Bern", 2.5], ["Oslo", 2.5], ["Rome", 2.5]]
