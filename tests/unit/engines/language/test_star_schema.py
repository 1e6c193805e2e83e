"""Questions over a table and those it points to: read as one table, answered by joins."""

import random
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from tests.questions.question_sets import counted, fill, same
from tests.questions.rows import insert

from modelwright.engines.language.rules.answering.questions import Answerable, Reader
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 11, 24)
COLUMNS: dict[str, dict[str, Any]] = {
    "orders": {
        "order_id": "integer", "customer_id": "integer", "product_id": "integer",
        "order_date": "date", "quantity": "integer", "total": "float", "status": "string",
    },
    "customers": {"customer_id": "integer", "name": "string", "city": "string"},
    "products": {
        "product_id": "integer", "product_name": "string", "category": "string",
        "unit_price": "float",
    },
}  # fmt: skip
PRODUCTS = [
    (1, "Desk Lamp", "lighting", 39.5), (2, "Floor Lamp", "lighting", 89.0),
    (3, "Office Chair", "furniture", 149.0), (4, "Standing Desk", "furniture", 399.0),
    (5, "Notebook", "stationery", 3.5), (6, "Pen Set", "stationery", 12.0),
]  # fmt: skip
PEOPLE = ["Ava Stone", "Ben Ortiz", "Cleo Park", "Dan Weiss", "Eve Long", "Finn Moss", "Gia Rossi"]


def rows() -> dict[str, list[tuple[Any, ...]]]:
    chance = random.Random(5)
    cities = ["Berlin", "Paris", "Rome"]
    customers = [(n + 1, name, cities[n % 3]) for n, name in enumerate(PEOPLE)]
    orders: list[tuple[Any, ...]] = []
    for number in range(300):
        product = chance.choice(PRODUCTS)
        units = chance.randint(1, 5)
        told = 1000 + number, chance.randint(1, 6), product[0]
        day = date(2023, 1, 1) + timedelta(chance.randrange(700))
        status = chance.choice(["delivered", "delivered", "returned", "cancelled"])
        orders.append((*told, day, units, round(units * product[3], 2), status))
    return {"orders": orders, "customers": customers, "products": list(PRODUCTS)}


@pytest.fixture(scope="module")
def asked() -> tuple[duckdb.DuckDBPyConnection, Reader]:
    store, tables = duckdb.connect(config={"threads": 1}), []
    for name, lines in rows().items():
        facts = (
            counted(column, kind, [line[at] for line in lines])
            for at, (column, kind) in enumerate(COLUMNS[name].items())
        )
        tables.append(TableFacts(name, tuple(facts)))
        if name == "orders":
            typed = "bigint, customer_id bigint, product_id bigint, order_date date"
            store.execute(
                f"create table orders (order_id {typed}, quantity bigint, total double,"
                " status varchar)"
            )
            insert(store, "orders", lines)
        else:
            fill(store, tables[-1], lines)
    return store, Reader(tables)


ALL = "orders join customers using (customer_id) join products using (product_id)"
RIGHT = [
    ("total revenue by category", f"select category, sum(total) from {ALL} group by 1"),
    ("revenue per month in 2024",
     ("select date_trunc('month', order_date), sum(total) from orders"
     " where year(order_date) = 2024 group by 1")),
    ("total sales by city and category",
     f"select city, category, sum(total) from {ALL} group by 1, 2"),
    ("total quantity of desk lamps sold",
     f"select sum(quantity) from {ALL} where product_name = 'Desk Lamp'"),
    ("which city has the highest revenue?",
     f"select city from {ALL} group by 1 order by sum(total) desc limit 1"),
    ("best customer",
     f"select name, sum(total) from {ALL} group by 1 order by 2 desc limit 1"),
    ("return rate by category",
     ("select category, 100 * avg(if(status = 'returned', 1, 0))"
     f" from {ALL} group by 1")),
    ("share of cancelled orders",
     "select 100 * avg(if(status = 'cancelled', 1, 0)) from orders"),
    ("average order value", "select avg(total) from orders"),
    ("average quantity per order", "select avg(quantity) from orders"),
    ("last order date", "select max(order_date) from orders"),
    ("monthly number of orders",
     "select date_trunc('month', order_date), count(*) from orders group by 1"),
    ("orders per status", "select status, count(*) from orders group by 1"),
    # what is pointed to is counted and shown by itself
    ("most expensive product", "select product_name from products where unit_price = 399"),
    ("how many customers are from Berlin?", "select count(*) from customers where city = 'Berlin'"),
    ("how many customers ordered in 2024?",
     "select count(distinct customer_id) from orders where year(order_date) = 2024"),
    ("how many different products did Ben Ortiz buy?",
     f"select count(distinct product_id) from {ALL} where name = 'Ben Ortiz'"),
    ("how many customers have more than 40 orders?",
     "select count(*) from (select customer_id from orders group by 1 having count(*) > 40)"),
    ("customers who never ordered",
     "select name from customers where customer_id not in (select customer_id from orders)"),
    ("how many orders did Ava place?", f"select count(*) from {ALL} where name = 'Ava Stone'"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "sql"), RIGHT)
def test_is_right(asked: tuple[duckdb.DuckDBPyConnection, Reader], question: str, sql: str) -> None:
    store, reader = asked
    found = reader.read(question, TODAY)
    assert isinstance(found, Answerable), found
    right = store.execute(sql).fetchall()
    assert right, sql
    assert same(right, store.execute(found.sql).fetchall()), found.sql
    assert not found.ignored
